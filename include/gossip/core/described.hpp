// Descriptions of policies and of their members, given once: the fields of a configuration, their
// bounds and defaults, what programs list and what ranks compare come from them.
//
//   static constexpr char const *name = "clipped_gossip", *meaning = "...";
//   static constexpr auto members() {
//     return std::tuple{described("radius", &clipped_gossip::radius, "meaning", {.least = 0})};
//   }
//
// Defaults are those of a policy that is made without arguments, or of one that a program offers.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>

namespace gossip {

/// Numbers from least to most, of a list each; of times nanoseconds.
struct bounds {
  double least = 0;
  double most = std::numeric_limits<double>::max();
  bool above_least = false;      ///< least is none of them
  bool below_most = false;       ///< most is none of them
  std::size_t fewest = 0;        ///< entries of a list
  bool may_be_left_out = false;  ///< where entries of a list otherwise name all members
};

/// The unit of a member whose type is that of plain numbers.
enum class unit { none, bytes_a_second };

/// One member of a policy, under the name that a configuration has for it.
template <class Policy, class Value>
struct described_member {
  using pointer = Value Policy::*;  // by name, for what nvcc makes of it

  char const *name;
  pointer at;
  char const *meaning;
  bounds range;
  unit counted_in;
};

template <class Policy, class Value>
constexpr described_member<Policy, Value> described(char const *name, Value Policy::*at,
                                                    char const *meaning, bounds range = {},
                                                    unit counted_in = unit::none) {
  return {name, at, meaning, range, counted_in};
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
