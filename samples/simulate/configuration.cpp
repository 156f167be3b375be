#include "configuration.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>

#include "json_reason.hpp"

namespace simulate {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

std::string contents(std::string const &path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw gossip::input_error(path, "a JSON file", "a folder");
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> const file(std::fopen(path.c_str(), "rb"),
                                                              &std::fclose);
  if (!file) throw gossip::input_error(path + ": cannot be read: " + std::strerror(errno));
  std::string text(most_bytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0)
    throw gossip::input_error(path + ": cannot be read: " + std::strerror(errno));
  if (text.size() > most_bytes)
    throw gossip::input_error(path, "at most " + std::to_string(most_bytes) + " bytes", "more");
  return text;
}

/// "line 3, column 14" of the byte at this place, counted from 1.
std::string place_of(std::string const &text, std::size_t byte) {
  std::size_t const end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  auto const begin = text.begin();
  auto const stop = begin + static_cast<std::ptrdiff_t>(end);
  auto const line = std::count(begin, stop, '\n') + 1;
  std::size_t const start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  std::size_t const column = start == std::string::npos ? end + 1 : end - start;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// For the parser: throws input_error for a key that comes twice in an object.
json::parser_callback_t refuse_twice(std::string const &place) {
  return [place, keys = std::vector<std::set<std::string>>()](int, json::parse_event_t event,
                                                              json &value) mutable {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key &&
        !keys.back().insert(value.get_ref<std::string const &>()).second)
      throw gossip::input_error(place, "each key once in an object", value.dump() + " twice");
    return true;
  };
}

json parsed(std::string const &path, std::string const &text) {
  try {
    return json::parse(text, refuse_twice(path));
  } catch (json::parse_error const &fault) {
    throw gossip::input_error(path + ": " + place_of(text, fault.byte) +
                              ": this is not JSON: " + reason(fault));
  } catch (json::exception const &fault) {
    throw gossip::input_error(path + ": this is not JSON: " + reason(fault));
  }
}

bool is_index(std::string const &token) {
  return !token.empty() && token.size() < 7 &&
         std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The object in a file; an empty one where there is no file.
json object_in(std::string const &file) {
  if (file.empty()) return json::object();
  json given = parsed(file, contents(file));
  if (!given.is_object())
    throw gossip::input_error(file, "an object", std::string(given.type_name()));
  return given;
}

/// The value behind one token of a pointer, made where there is none.
json &step_into(json &at, std::string const &token, std::string const &setting) {
  if (at.is_null()) at = token == "0" || token == "-" ? json::array() : json::object();
  if (at.is_string() && token != "kind") at = {{"kind", at}};  // a policy in its short form
  if (at.is_string()) at = json::object();
  if (at.is_object()) return at[token];
  if (at.is_array() && token == "-") return at.emplace_back();
  if (at.is_array() && is_index(token)) {
    auto const index = static_cast<std::size_t>(std::stoul(token));
    if (index == at.size()) return at.emplace_back();
    if (index < at.size()) return at[index];
  }
  throw gossip::input_error(setting, "a pointer to a field",
                            "'" + token + "' in " + at.dump().substr(0, 40));
}

}  // namespace

json config_file::sweep() const {
  auto const found = content.find("sweep");
  return found == content.end() ? json() : *found;
}

config_file read_config(std::string const &path) {
  return {path, object_in(path)};
}

std::string quoted_json(std::string const &place, std::string const &text) {
  try {
    return json(text).dump();
  } catch (json::exception const &) {
    auto const odd = std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
    throw gossip::input_error(
        place, "text in UTF-8",
        "bytes that are not UTF-8 from place " + std::to_string(odd - text.begin() + 1) + " on");
  }
}

json value_of(std::string const &place, std::string const &text) {
  quoted_json(place, text);
  json const read = json::parse(text, refuse_twice(place), false);
  return read.is_discarded() ? json(text) : read;
}

configuration::configuration(config_file const &file, std::vector<std::string> const &settings,
                             swept_values const &swept)
    : file_(file.path), given_(file.content) {
  given_.erase("sweep");
  for (std::string const &setting : settings) set(setting);
  base_ = given_;
  for (auto const &[pointer, value] : swept) {
    assign(pointer, value, "--sweep " + pointer);
    if (!pointer.empty()) swept_pointers_.push_back(pointer);
    if (pointer.empty())
      for (auto const &[name, member] : value.items()) swept_pointers_.push_back("/" + name);
  }
  try {
    complete_ = simulate::complete(schema(), given_, "");
    json const &m = complete_["model"];
    if (m.is_object() && m["kind"] == "quadratic") {
      if (given_.contains("data"))
        throw mismatch{"/data", "the quadratic model has no data set; leave this field out"};
      complete_.erase("data");
    }
  } catch (mismatch const &fault) {
    throw refusal(fault);
  }
}

std::string configuration::text() const {
  json const all{{"set", set_pointers_}, {"given", given_}, {"complete", complete_}};
  return all.dump() + '\n' + file_;  // a path may be in any encoding
}

configuration::configuration(std::string const &text) {
  std::size_t const end = text.find('\n');
  json const all = json::parse(text.substr(0, end));
  file_ = text.substr(end + 1);
  set_pointers_ = all.at("set");
  given_ = all.at("given");
  complete_ = all.at("complete");
}

void configuration::set(std::string const &setting) {
  std::size_t const equals = setting.find('=');
  if (setting.empty() || setting[0] != '/' || equals == std::string::npos)
    throw gossip::input_error("--set " + setting, "/json/pointer=value, such as /topology/nodes=16",
                              equals == std::string::npos ? "no =" : "no / at the start");
  std::string const pointer = setting.substr(0, equals), value = setting.substr(equals + 1);
  assign(pointer, value_of("--set " + pointer, value), "--set " + setting);
  set_pointers_.push_back(pointer);
}

void configuration::assign(std::string const &pointer, json value, std::string const &setting) {
  std::vector<std::string> tokens;
  try {
    json::json_pointer p(pointer);
    for (; !p.empty(); p.pop_back()) tokens.insert(tokens.begin(), p.back());
  } catch (json::exception const &fault) {
    throw gossip::input_error(setting + ": not a JSON pointer: " + reason(fault));
  }
  if (tokens.empty()) return given_.merge_patch(value);
  json *at = &given_;
  for (std::string const &token : tokens) at = &step_into(*at, token, setting);
  *at = std::move(value);
}

std::string configuration::source_of(std::string const &pointer) const {
  auto const covers = [&](std::string const &set) {
    return pointer.starts_with(set) || set.starts_with(pointer);
  };
  if (std::any_of(swept_pointers_.begin(), swept_pointers_.end(), covers)) return "--sweep";
  if (std::any_of(set_pointers_.begin(), set_pointers_.end(), covers)) return "--set";
  if (!file_.empty()) return file_;
  std::string const parent = pointer.substr(0, pointer.rfind('/'));  // of a field that is missing
  return parent.empty() || !source_of(parent).starts_with("--") ? "defaults" : source_of(parent);
}

gossip::input_error configuration::refusal(mismatch const &fault) const {
  std::string const where = fault.pointer.empty() ? "/" : fault.pointer;
  return gossip::input_error(source_of(fault.pointer) + ": " + where + ": " + fault.sentence);
}

gossip::input_error configuration::located(gossip::input_error const &fault) const {
  mismatch const place = locate(fault);
  return place.pointer.empty() ? fault : refusal(place);
}

}  // namespace simulate
