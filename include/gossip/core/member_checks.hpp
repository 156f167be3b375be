// Checks of a policy's members by the bounds that it describes them with.
#pragma once

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

namespace detail {

inline std::string bound_in_words(double value) {
  bool const whole = value == std::floor(value) && std::fabs(value) < 1e15;
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

/// Bounds in words, as "a number from 0 to below 1". kind: as "a number" or "a time", with
/// the unit of its numbers.
inline std::string bounds_in_words(bounds const &range, char const *kind, char const *unit) {
  bool const open = range.most == std::numeric_limits<double>::max();
  std::string text = kind;
  text += range.above_least ? " above " : open ? " of at least " : " from ";
  text += bound_in_words(range.least);
  if (!open) {
    text += range.above_least  ? range.below_most ? " and below " : " and at most "
            : range.below_most ? " to below "
                               : " to ";
    text += bound_in_words(range.most);
  }
  return text + unit;
}

/// False of what is no number, and of infinity where the bounds have a most.
inline bool within(bounds const &range, double value) {
  bool const open = range.most == std::numeric_limits<double>::max();
  bool const high = range.below_most ? value < range.most : value <= range.most;
  return (range.above_least ? value > range.least : value >= range.least) && (open || high);
}

/// Throws input_error unless a member of a policy is within its bounds. Values of types that have
/// none, such as enumerations, pass.
template <class V>
void check_member(char const *policy, char const *member, bounds const &range, V const &value) {
  auto const refuse = [&](char const *kind, char const *unit, std::string const &got) {
    throw input_error(std::string(policy) + ": " + member, bounds_in_words(range, kind, unit),
                      got + unit);
  };
  if constexpr (std::floating_point<V>) {
    if (!within(range, value)) refuse("a number", "", shortest(value));
  } else if constexpr (std::integral<V> && !std::same_as<V, bool>) {
    if (!within(range, static_cast<double>(value)))
      refuse("a whole number", "", std::to_string(value));
  } else if constexpr (std::same_as<V, std::chrono::nanoseconds>) {
    if (!within(range, static_cast<double>(value.count())))
      refuse("a time", " ns", std::to_string(value.count()));
  }
}

}  // namespace detail

/// Throws input_error unless every number and time among the members of a policy is within the
/// bounds that its description has; members that are policies check their own.
template <describes_itself P>
void check_members(P const &policy) {
  P::members().each(
      [&](auto const &m) { detail::check_member(P::name, m.name, m.range, policy.*m.at); });
}

}  // namespace gossip
