// Descriptions of policies and of their members, given once: the fields of a configuration, their
// bounds and defaults, the check of an exchange before a run, what programs list and what ranks
// compare come from them.
//
//   static constexpr char const *name = "clipped_gossip", *meaning = "...";
//   static constexpr auto members() {
//     return member_list{described("radius", &clipped_gossip::radius, "meaning", {.least = 0})};
//   }
//
// Defaults are those of a policy that is made without arguments, or of one that a program offers.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>

namespace gossip {

/// Numbers from least to most, of a list each; of times nanoseconds.
struct bounds {
  double least = 0;
  double most = std::numeric_limits<double>::max();
  bool above_least = false;      ///< least is none of them
  bool below_most = false;       ///< most is none of them
  std::size_t fewest = 0;        ///< entries of a list
  bool may_be_left_out = false;  ///< where entries of a list otherwise name all members; of a text:
                                 ///< it may be empty
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

/// Descriptions of members, in their order. Every file that includes a policy instantiates its
/// list: a std::tuple takes the compiler several times as long.
template <class... Described>
class member_list {
 public:
  template <class F>
  constexpr void each(F const &) const {}
  template <class... More>
  constexpr member_list<More...> followed_by(More const &...more) const {
    return {more...};
  }
};

template <class First, class... Rest>
class member_list<First, Rest...> {
 public:
  constexpr member_list(First const &first, Rest const &...rest) : first_(first), rest_(rest...) {}
  constexpr member_list(First const &first, member_list<Rest...> const &rest)
      : first_(first), rest_(rest) {}

  /// f(description) for each.
  template <class F>
  constexpr void each(F const &f) const {
    f(first_);
    rest_.each(f);
  }
  /// The list with more at its end.
  template <class... More>
  constexpr member_list<First, Rest..., More...> followed_by(More const &...more) const {
    return {first_, rest_.followed_by(more...)};
  }

 private:
  First first_;
  member_list<Rest...> rest_;
};

template <class... Described>
member_list(Described...) -> member_list<Described...>;

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
