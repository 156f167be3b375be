// Facts of policies that ranks compare before a run: every member that can be told in a word.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/clock/links.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/members.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip::detail {

template <class V>
concept in_a_word = std::is_arithmetic_v<V> || std::is_enum_v<V>;

template <class V>
concept text = std::convertible_to<V const &, std::string_view> && !std::is_pointer_v<V>;

template <class V>
using element_of = std::remove_cvref_t<decltype(*std::begin(std::declval<V const &>()))>;

/// A range whose elements are not of its own kind, as the elements of a path are.
template <class V>
concept list = requires(V const &v) {
  { std::begin(v) != std::end(v) } -> std::convertible_to<bool>;
} && !std::same_as<element_of<V>, V>;

template <class V>
concept optional_value = requires(V const &v) {
  { v.has_value() } -> std::same_as<bool>;
  *v;
};

template <class V>
inline constexpr bool is_variant = false;
template <class... Kinds>
inline constexpr bool is_variant<std::variant<Kinds...>> = true;

/// Whether rank 0 alone uses it, which makes the weights for all.
template <class V>
concept used_by_rank_0 = requires(V const &v, graph const &g) { v.weights(g); };

/// A policy whose type hides its members: any_exchange, any_compute_time.
template <class V>
concept tells_facts = requires(V const &v) {
  { v.facts(std::string()) } -> std::same_as<fact_list>;
};

/// The shortest text that is read back as the same value.
template <in_a_word V>
std::string word_of(V value) {
  if constexpr (std::same_as<V, bool>) {
    return value ? "true" : "false";
  } else if constexpr (requires { value_names<V>::names; }) {
    return value_names<V>::names[static_cast<std::size_t>(value)];
  } else if constexpr (std::is_enum_v<V>) {
    return word_of(static_cast<std::underlying_type_t<V>>(value));
  } else {
    char digits[64];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
}

/// Numbers one after another; many of them by their count and a hash.
template <class Range>
std::string words_of(Range const &values) {
  std::string text;
  std::size_t count = 0;
  for (auto const &value : values) {
    if (count++ > 0) text += ' ';
    text += word_of(value);
  }
  if (count == 0) return "none";
  return count <= 8
             ? text
             : std::to_string(count) + " numbers " + hex(hash_bytes(text.data(), text.size()));
}

/// Adds the facts of a value; none of pointers, functions and closed classes.
template <class V>
void add_facts(fact_list &all, std::string const &name, V const &value) {
  if constexpr (tells_facts<V>) {
    for (auto &fact : value.facts(name)) all.push_back(std::move(fact));
  } else if constexpr (in_a_word<V>) {
    all.emplace_back(name, word_of(value));
  } else if constexpr (std::same_as<V, virtual_time>) {
    all.emplace_back(name, word_of(value.count()) + " ns");
  } else if constexpr (text<V>) {
    all.emplace_back(name, std::string_view(value));
  } else if constexpr (is_variant<V>) {
    all.emplace_back("kind of " + name, std::to_string(value.index()));
    std::visit([&](auto const &kind) { add_facts(all, name, kind); }, value);
  } else if constexpr (optional_value<V>) {
    all.emplace_back("presence of " + name, word_of(value.has_value()));
    if (value.has_value()) add_facts(all, name, *value);
  } else if constexpr (list<V>) {
    if constexpr (in_a_word<element_of<V>>) {
      all.emplace_back(name, words_of(value));
    } else {
      std::size_t count = 0;
      for (auto const &element : value)
        add_facts(all, "element " + std::to_string(++count) + " of " + name, element);
      all.emplace_back("number of elements of " + name, std::to_string(count));
    }
  } else if constexpr (describes_itself<V>) {
    auto const add = [&](auto const &m) {
      auto const &member = value.*m.at;
      if constexpr (!used_by_rank_0<std::remove_cvref_t<decltype(member)>>)
        add_facts(all, std::string(m.name) + " of " + name, member);
    };
    V::members().each(add);
  } else if constexpr (decomposable<V>) {
    std::size_t count = 0;
    auto const add = [&](auto const &member) {
      std::string const place = "member " + std::to_string(++count) + " of " + name;
      if constexpr (!used_by_rank_0<std::remove_cvref_t<decltype(member)>>)
        add_facts(all, place, member);
    };
    std::apply([&](auto const &...member) { (add(member), ...); }, members_of(value));
  }
}

/// Adds the windows of the state from which the run goes on.
inline fact_list with_state(fact_list all, run_settings const &settings) {
  add_facts(all, "windows of the state",
            settings.state ? settings.state->list<std::uint64_t>("run/windows")
                           : std::vector<std::uint64_t>{});
  return all;
}

#ifdef GOSSIP_COMPILED
extern template void add_facts(fact_list &, std::string const &, differing_links const &);
extern template void add_facts(fact_list &, std::string const &, gossip::message_loss const &);
extern template void add_facts(fact_list &, std::string const &, gossip::outages const &);
extern template void add_facts(fact_list &, std::string const &, gossip::participation const &);
#endif

}  // namespace gossip::detail
