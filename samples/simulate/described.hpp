// Fields of a configuration, and values from it, for policies that describe their members.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

#include "policies.hpp"
#include "schema.hpp"
#include "values.hpp"

namespace simulate {

/// In the largest unit that gives a whole number.
inline std::string plain_duration(gossip::virtual_time t) {
  std::string text;
  for (auto const &[unit, nanoseconds] : {std::pair<char const *, std::int64_t>{"s", 1'000'000'000},
                                          {"ms", 1'000'000},
                                          {"us", 1'000},
                                          {"ns", 1}}) {
    if (t.count() % nanoseconds != 0) continue;
    text = std::to_string(t.count() / nanoseconds);
    text.append(unit);
    break;
  }
  return text;
}

template <class V>
concept named_values = requires {
  gossip::value_names<V>::names;
};

/// The field of one member; its default is that of a policy without arguments.
template <class Policy, class V>
field field_of(gossip::described_member<Policy, V> const &m) {
  field f{m.name, m.meaning, text{}};
  V const fallback = Policy{}.*m.at;
  if constexpr (named_values<V>) {
    auto const &names = gossip::value_names<V>::names;
    f.form = choice{{names.begin(), names.end()}};
    f.fallback = names[static_cast<std::size_t>(fallback)];
  } else if constexpr (std::same_as<V, bool>) {
    f.form = yes_or_no{};
    f.fallback = fallback;
  } else if constexpr (std::same_as<V, gossip::virtual_time>) {
    f.form = duration{m.range.least > 0};
    f.fallback = plain_duration(fallback);
  } else if constexpr (std::integral<V>) {
    auto const highest = static_cast<double>(std::numeric_limits<V>::max());
    f.form = whole{static_cast<std::uint64_t>(m.range.least),
                   m.range.most < highest ? static_cast<std::uint64_t>(m.range.most)
                                          : std::uint64_t{std::numeric_limits<V>::max()}};
    f.fallback = fallback;
  } else {
    static_assert(std::same_as<V, double>, "simulate: a member of a type that has no field");
    f.form = number{m.range.least, m.range.most};
    f.fallback = fallback;
  }
  return f;
}

/// A weight rule by its name.
template <class Policy>
field field_of(gossip::described_member<Policy, chosen_weights> const &m) {
  return {m.name, m.meaning, choice{chosen_weights::names()}, chosen_weights::names().front()};
}

template <gossip::describes_itself Policy>
kind kind_described() {
  kind all{Policy::name, Policy::meaning, {}};
  std::apply([&](auto const &...m) { (all.fields.push_back(field_of(m)), ...); },
             Policy::members());
  return all;
}

/// The value of a member in a configuration that has been checked.
template <class V>
V value_at(json const &c, char const *key) {
  if constexpr (std::same_as<V, chosen_weights>) {
    return chosen_weights::named(text_at(c, key));
  } else if constexpr (named_values<V>) {
    auto const &names = gossip::value_names<V>::names;
    std::size_t k = 0;
    while (text_at(c, key) != names[k]) ++k;
    return static_cast<V>(k);
  } else if constexpr (std::same_as<V, gossip::virtual_time>) {
    return gossip::parse_duration(text_at(c, key));
  } else {
    return c.at(key).get<V>();
  }
}

template <gossip::describes_itself Policy>
Policy policy_described(json const &c) {
  Policy made{};
  auto const take = [&]<class V>(gossip::described_member<Policy, V> const &m) {
    made.*m.at = value_at<V>(c, m.name);
  };
  std::apply([&](auto const &...m) { (take(m), ...); }, Policy::members());
  return made;
}

}  // namespace simulate
