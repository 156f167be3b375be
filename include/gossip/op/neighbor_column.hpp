// One column of a neighborhood, and the concept of its functions.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace gossip {

/// One column of a neighborhood, where it lies in a tile: row columns[k] * stride.
template <class T>
struct neighbor_column {
  std::uint32_t const *columns;  // (entries)
  T const *weights;              // (entries)
  std::size_t entries;
  T const *from;
  std::size_t stride;

  constexpr T value(std::size_t k) const { return from[columns[k] * stride]; }
  constexpr T weight(std::size_t k) const { return weights[k]; }
};

template <class F>
concept neighborhood_function = requires(F const &f, neighbor_column<double> const &x) {
  { f(x) } -> std::same_as<double>;
};

/// A function that has a second form for `Lanes` columns side by side of neighborhoods of at most
/// most_entries nodes, with the same bits: to (Lanes).
template <class F>
concept takes_neighbors_side_by_side =
    neighborhood_function<F> && requires(neighbor_column<double> const &x, double *to) {
      { F::most_entries } -> std::convertible_to<std::size_t>;
      F::template side_by_side<8>(x, to);
    };

}  // namespace gossip
