// Fields of a configuration, and values from it, for policies that describe their members.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/model/node_values.hpp>

#include "policies.hpp"
#include "schema.hpp"
#include "values.hpp"

namespace simulate {

template <class V>
concept named_values = requires { gossip::value_names<V>::names; };

/// Holds one of several policies.
template <class V>
concept chosen_policy = requires(V const &v) {
  V::offered();
  v.kind.index();
};

template <class V>
inline constexpr bool is_list_of_described = false;
template <gossip::describes_itself Entry>
inline constexpr bool is_list_of_described<std::vector<Entry>> = true;

/// Holds one of several policies, or none.
template <class V>
inline constexpr bool is_optional_choice = false;
template <chosen_policy Chosen>
inline constexpr bool is_optional_choice<std::optional<Chosen>> = true;

template <class Policy>
std::vector<field> fields_of(Policy const &fallback);

/// Those of an entry of a list, which says all but what may be left out.
template <class Entry>
std::vector<field> entry_fields();

template <class... Policies>
policy described_by(std::tuple<Policies...> const &offered) {
  return std::apply(
      [](auto const &...one) { return policy{{kind{one.name, one.meaning, fields_of(one)}...}}; },
      offered);
}

inline number form_of(gossip::bounds const &range) {
  return {range.least, range.most, range.above_least, range.below_most};
}

template <std::integral V>
whole whole_form_of(gossip::bounds const &range) {
  constexpr V highest = std::numeric_limits<V>::max();
  whole form{static_cast<std::uint64_t>(range.least), highest};
  if (range.most < static_cast<double>(highest)) form.most = static_cast<std::uint64_t>(range.most);
  return form;
}

/// The name alone where none of them has members.
inline field policy_field(char const *name, char const *meaning, policy const &offered,
                          json const &fallback) {
  bool const plain =
      std::ranges::all_of(offered.kinds, [](kind const &k) { return k.fields.empty(); });
  if (!plain) return {name, meaning, offered, fallback};
  choice names;
  for (kind const &k : offered.kinds) names.names.push_back(k.name);
  return {name, meaning, names, fallback};
}

/// An entry of one number is that number.
inline json json_of(gossip::node_values const &values) {
  json all = json::array();
  for (gossip::node_values::entry const &one : values)
    all.push_back(one.size() == 1 ? json(one[0]) : json(one));
  return all;
}
inline gossip::node_values node_values_of(json const &c) {
  gossip::node_values values;
  for (json const &one : c)
    if (one.is_array())
      values.push_back(one.get<gossip::node_values::entry>());
    else
      values.push_back(one.get<double>());
  return values;
}

/// The field of one member; its default is that of the fallback.
template <class Policy, class Owner, class V>
field field_of(gossip::described_member<Owner, V> const &m, Policy const &fallback) {
  V const &value = fallback.*m.at;
  if constexpr (named_values<V>) {
    auto const &names = gossip::value_names<V>::names;
    return {m.name, m.meaning, choice{{names.begin(), names.end()}},
            names[static_cast<std::size_t>(value)]};
  } else if constexpr (chosen_policy<V>) {
    char const *const held = std::visit([](auto const &one) { return one.name; }, value.kind);
    return policy_field(m.name, m.meaning, described_by(V::offered()), held);
  } else if constexpr (is_optional_choice<V>) {
    return policy_field(m.name, m.meaning, described_by(V::value_type::offered()), nullptr);
  } else if constexpr (gossip::describes_itself<V>) {
    return {m.name, m.meaning, group{fields_of(value)}};
  } else if constexpr (is_list_of_described<V>) {
    return {m.name, m.meaning, list{entry_fields<typename V::value_type>()}, json::array()};
  } else if constexpr (std::same_as<V, bool>) {
    return {m.name, m.meaning, yes_or_no{}, value};
  } else if constexpr (std::same_as<V, std::string>) {
    return {m.name, m.meaning, text{},
            value.empty() && !m.range.may_be_left_out ? json() : json(value)};
  } else if constexpr (std::same_as<V, gossip::virtual_time>) {
    return {m.name, m.meaning, duration{m.range.least > 0}, gossip::exact_duration(value)};
  } else if constexpr (std::same_as<V, std::vector<double>>) {
    return {m.name, m.meaning, numbers{form_of(m.range), m.range.fewest}, value};
  } else if constexpr (std::same_as<V, gossip::node_values>) {
    return {m.name, m.meaning, numbers{form_of(m.range), m.range.fewest, true}, json_of(value)};
  } else if constexpr (std::same_as<V, std::vector<gossip::node>>) {
    return {m.name, m.meaning, wholes{whole_form_of<gossip::node>(m.range)}, value};
  } else if constexpr (std::integral<V>) {
    return {m.name, m.meaning, whole_form_of<V>(m.range), value};
  } else {
    static_assert(std::same_as<V, double>, "simulate: a member of a type that has no field");
    if (m.counted_in == gossip::unit::bytes_a_second)
      return {m.name, m.meaning, bandwidth{}, gossip::exact_bandwidth(value)};
    return {m.name, m.meaning, form_of(m.range), value};
  }
}

template <class Policy>
std::vector<field> fields_of(Policy const &fallback) {
  static_assert(gossip::describes_itself<Policy>);
  std::vector<field> fields;
  Policy::members().each([&](auto const &m) { fields.push_back(field_of(m, fallback)); });
  return fields;
}

template <class Entry>
std::vector<field> entry_fields() {
  std::vector<field> fields = fields_of(Entry{});
  auto at = fields.begin();
  Entry::members().each([&](auto const &m) { at++->may_be_left_out = m.range.may_be_left_out; });
  for (field &f : fields) f.fallback = nullptr;
  return fields;
}

template <class Policy>
Policy policy_described(json const &c, Policy made = {});

/// The policy that a configuration names, as what all that are offered can become.
template <class Made, class... Policies>
Made made_among(std::tuple<Policies...> const &offered, json const &c) {
  std::optional<Made> made;
  auto const make = [&](auto const &one) {
    if (kind_of(c) == one.name) made.emplace(policy_described(c, one));
  };
  std::apply([&](auto const &...one) { (make(one), ...); }, offered);
  return *made;
}

template <auto Offered>
one_of<Offered> chosen_from(json const &c) {
  return made_among<one_of<Offered>>(Offered(), c);
}

/// The value of a member in a configuration that has been checked.
template <class Owner, class V>
V value_of(gossip::described_member<Owner, V> const &m, json const &c) {
  if constexpr (named_values<V>) {
    auto const &names = gossip::value_names<V>::names;
    return static_cast<V>(std::ranges::find(names, c.get<std::string>()) - names.begin());
  } else if constexpr (chosen_policy<V>) {
    return {made_among<decltype(V::kind)>(V::offered(), c)};
  } else if constexpr (is_optional_choice<V>) {
    using chosen = typename V::value_type;
    return chosen{made_among<decltype(chosen::kind)>(chosen::offered(), c)};
  } else if constexpr (gossip::describes_itself<V>) {
    return policy_described<V>(c);
  } else if constexpr (is_list_of_described<V>) {
    V all;
    for (json const &one : c) all.push_back(policy_described<typename V::value_type>(one));
    return all;
  } else if constexpr (std::same_as<V, gossip::virtual_time>) {
    return gossip::parse_duration(c.get<std::string>());
  } else if constexpr (std::same_as<V, gossip::node_values>) {
    return node_values_of(c);
  } else {
    if constexpr (std::same_as<V, double>)
      if (m.counted_in == gossip::unit::bytes_a_second)
        return gossip::parse_bandwidth(c.get<std::string>());
    return c.get<V>();
  }
}

/// Members that the configuration has no field for, or leaves out, are those of `made`.
template <class Policy>
Policy policy_described(json const &c, Policy made) {
  auto const take = [&](auto const &m) {
    if (c.contains(m.name) && !c.at(m.name).is_null()) made.*m.at = value_of(m, c.at(m.name));
  };
  Policy::members().each(take);
  return made;
}

}  // namespace simulate
