// The members of an aggregate, in their order: for comparing values whose types are not known.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace gossip {

namespace detail {

/// Becomes a base class of T, and nothing else.
template <class T>
struct base_value {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>)
  operator U() const;
};

template <class T>
concept has_base = requires { T{base_value<T>{}}; };

/// Taken apart in another way, as std::array is.
template <class T>
concept has_elements = requires { std::tuple_size<T>::value; };

inline constexpr std::size_t most_members = 12;

// One pair of braces a member, so that those that are arrays or aggregates count once.
// clang-format off
template <class T, std::size_t Count> inline constexpr bool takes_braces = false;
template <class T> inline constexpr bool takes_braces<T, 1> = requires { T{{}}; };
template <class T> inline constexpr bool takes_braces<T, 2> = requires { T{{}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 3> = requires { T{{}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 4> = requires { T{{}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 5> = requires { T{{}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 6> =
    requires { T{{}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 7> =
    requires { T{{}, {}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 8> =
    requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 9> =
    requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 10> =
    requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 11> =
    requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 12> =
    requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
template <class T> inline constexpr bool takes_braces<T, 13> =
    requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
// clang-format on

template <class T, std::size_t Count = most_members + 1>
constexpr std::size_t braces_taken() {
  if constexpr (Count == 0 || takes_braces<T, Count>)
    return Count;
  else
    return braces_taken<T, Count - 1>();
}

}  // namespace detail

/// An aggregate of at most 12 members, which value-initialise, without base classes.
template <class T>
concept decomposable = std::is_aggregate_v<T> && !std::is_array_v<T> && !std::is_union_v<T> &&
                       !detail::has_elements<T> && !detail::has_base<T> &&
                       detail::braces_taken<T>() <= detail::most_members &&
                       (std::is_empty_v<T> || detail::braces_taken<T>() > 0);

// clang-format off
/// References to all members, a tuple.
template <decomposable T>
constexpr auto members_of(T const &value) {
  constexpr std::size_t count = detail::braces_taken<T>();
  if constexpr (count == 1) {
    auto const &[a] = value;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto const &[a, b] = value;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto const &[a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto const &[a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto const &[a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto const &[a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto const &[a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto const &[a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto const &[a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto const &[a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto const &[a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto const &[a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else {
    return std::tuple<>{};
  }
}
// clang-format on

}  // namespace gossip
