// Definitions of data/json_text.hpp.
#pragma once

#include <gossip/data/json_text.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

/// The place of a parser in a text: the members and places of lists that it is in. It throws
/// input_error for a member that an object has twice.
class json_place {
 public:
  using event = nlohmann::json::parse_event_t;

  void follow(event what, nlohmann::json const &value) {
    bool const list = what == event::array_start;
    if (list || what == event::object_start) {
      if (levels_.size() == deepest)
        throw input_error("", "at most " + std::to_string(deepest) + " levels of lists and objects",
                          "more");
      levels_.push_back({list, {}, {}, 0});
    } else if (what == event::key) {
      enter(value.get_ref<std::string const &>());
    } else {
      leave(what == event::value);
    }
  }

  /// The place as a pointer of RFC 6901, "/user_data/f1/x/3", at most 80 characters of it; empty at
  /// the top.
  std::string pointer() const {
    std::string text;
    for (level const &one : levels_)
      if (one.is_list || !one.members.empty())
        text += "/" + (one.is_list ? std::to_string(one.index) : one.member);
    for (char &c : text)
      if (c >= 0 && c < ' ') c = '?';
    return text.size() > 80 ? text.substr(0, 80) + "..." : text;
  }

 private:
  static constexpr std::size_t deepest = 100;

  struct level {
    bool is_list;
    std::set<std::string> members;  // that have come
    std::string member;             // the last of them
    std::size_t index;              // in a list
  };

  void enter(std::string const &member) {
    level &object = levels_.back();
    object.member = member;
    if (!object.members.insert(member).second)
      throw input_error("", "each member of an object once", lines::quoted(member) + " twice");
  }

  void leave(bool value_alone) {
    if (!value_alone) levels_.pop_back();
    if (!levels_.empty() && levels_.back().is_list) ++levels_.back().index;
  }

  std::vector<level> levels_;
};

/// The fault at a byte of a text: the text before the byte, or that the text ends there.
GOSSIP_INLINE std::string broken_json(std::span<std::uint8_t const> text, std::size_t byte) {
  auto const near = text.first(byte).last(std::min<std::size_t>(byte, 20));
  std::string const what = byte == text.size() ? "the end of the file" : "text that is not JSON";
  if (near.empty()) return what;
  return what + " behind " + lines::quoted(std::string(near.begin(), near.end()));
}

GOSSIP_INLINE nlohmann::json parse_json(std::span<std::uint8_t const> text,
                                        std::string const &where) {
  using nlohmann::json;
  json_place place;
  auto const follow = [&](int, json::parse_event_t event, json &value) {
    place.follow(event, value);
    return true;
  };
  auto const within = [&](char const *before) {
    std::string const pointer = place.pointer();
    return pointer.empty() ? "" : before + pointer;
  };
  try {
    auto const *const begin = reinterpret_cast<char const *>(text.data());
    return json::parse(begin, begin + text.size(), follow);  // as nlohmann's literals: one parser
  } catch (input_error const &fault) {
    throw input_error(where + within(": "), fault.expected(), fault.got());
  } catch (json::parse_error const &fault) {
    std::size_t const byte = std::min(std::max<std::size_t>(fault.byte, 1) - 1, text.size());
    throw input_error(where + ": byte " + std::to_string(byte) + within(", "), "JSON",
                      broken_json(text, byte));
  } catch (json::out_of_range const &) {
    throw input_error(where + within(": "), "numbers below 2^1024", "a larger number");
  }
}

}  // namespace gossip::detail
