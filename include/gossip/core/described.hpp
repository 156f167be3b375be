// Descriptions of policies and of their members, given once: the fields of a configuration, their
// bounds and defaults, and what programs list come from them.
//
//   static constexpr char const *name = "clipped_gossip", *meaning = "...";
//   static constexpr auto members() {
//     return std::tuple{described("radius", &clipped_gossip::radius, "meaning", {.least = 0})};
//   }
//
// Defaults are those of a policy that is made without arguments.
#pragma once

#include <concepts>
#include <limits>
#include <string_view>
#include <tuple>

namespace gossip {

/// Numbers from least to most; of times nanoseconds.
struct bounds {
  double least = 0;
  double most = std::numeric_limits<double>::max();
};

/// One member of a policy, under the name that a configuration has for it.
template <class Policy, class Value>
struct described_member {
  using pointer = Value Policy::*;  // by name, for what nvcc makes of it

  char const *name;
  pointer at;
  char const *meaning;
  bounds range;
};

template <class Policy, class Value>
constexpr described_member<Policy, Value> described(char const *name, Value Policy::*at,
                                                    char const *meaning, bounds range = {}) {
  return {name, at, meaning, range};
}

/// The names of an enumeration's values, in their order: std::array<char const *, n>.
template <class Enumeration>
struct value_names;

/// A policy with a name, a meaning and a description of its members.
template <class P>
concept describes_itself = requires {
  { P::name } -> std::convertible_to<std::string_view>;
  { P::meaning } -> std::convertible_to<std::string_view>;
  P::members();
};

}  // namespace gossip
