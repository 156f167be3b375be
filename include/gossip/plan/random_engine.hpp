// Random engines among an exchange's bookkeeping, which would give every node and seed the same
// numbers: found in aggregates as far as their types tell.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace gossip::detail {

/// A generator in the style of <random>: std::mt19937, std::random_device and their like.
template <class G>
concept random_engine = requires(G &g) {
  typename G::result_type;
  g();
  G::min();
  G::max();
};

/// Initialises whatever is no aggregate, so that aggregates within one are initialised member by
/// member.
struct any_member {
  template <class M>
    requires(!std::is_aggregate_v<M>)
  operator M() const;
};
/// Initialises random engines only.
struct engine_member {
  template <random_engine G>
  operator G() const;
};
/// Initialises nothing.
struct no_member {};

/// Whether member number sizeof...(k) of an aggregate can be initialised with a Last.
template <class A, class Last, std::size_t... k>
constexpr bool takes_after(std::index_sequence<k...>) {
  return requires { A{(static_cast<void>(k), any_member{})..., Last{}}; };
}

template <class A, std::size_t... k>
constexpr bool has_engine_among(std::index_sequence<k...>) {
  return ((takes_after<A, engine_member>(std::make_index_sequence<k>{}) &&
           !takes_after<A, no_member>(std::make_index_sequence<k>{})) ||
          ...);
}

/// Whether S is a random engine, or an aggregate with one among its first ten members, those of
/// aggregates within it counted one by one.
template <class S>
inline constexpr bool holds_random_engine = [] {
  if constexpr (random_engine<S>)
    return true;
  else if constexpr (std::is_aggregate_v<S>)
    return has_engine_among<S>(std::make_index_sequence<10>{});
  else
    return false;
}();

}  // namespace gossip::detail
