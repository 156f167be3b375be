// A fragment of a row: some of its trainable columns, side by side.
#pragma once

#include <cstddef>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/refusals.hpp>

namespace gossip {

/// Columns first to first + count.
struct fragment {
  std::size_t first = 0, count = 0;

  /// In the place of a fragment: all columns, statistics of a model among them.
  static constexpr fragment every() { return {}; }
  constexpr bool is_every() const { return count == 0; }

  constexpr std::size_t end() const { return first + count; }
  constexpr bool holds(fragment const &other) const {
    return first <= other.first && other.end() <= end();
  }
  friend constexpr bool operator==(fragment const &, fragment const &) = default;
};

/// Node `to` and what it is sent of a row.
struct fragment_receiver {
  node to;
  fragment columns;
};

/// Throws input_error unless rows of so many columns can be cut into fragments of at least one.
inline void check_fragments(char const *where, std::size_t fragments, std::size_t columns) {
  if (fragments > columns)
    throw input_error(where,
                      "at most the number of columns of the model, " + std::to_string(columns),
                      std::to_string(fragments));
}

namespace detail {

inline std::string described(fragment const &f) {
  if (f.is_every()) return "all columns";
  return "columns " + std::to_string(f.first) + " to " + std::to_string(f.end());
}

/// A fragment that node i names, of rows with so many columns.
inline void require_fragment(node i, fragment const &f, std::size_t columns) {
  if (f.count == 0) refuse_node(i, "names a fragment of no columns");
  if (f.first >= columns || f.count > columns - f.first)
    refuse_node(i, "names a fragment of " + std::to_string(f.count) + " columns from " +
                       std::to_string(f.first) + " on; expected some of the " +
                       std::to_string(columns) + " of the parameters");
}

/// The k-th of n nearly equal fragments of so many columns.
inline fragment nth_fragment(std::size_t k, std::size_t n, std::size_t columns) {
  if (k >= n || n > columns)
    throw error("exchange: names fragment " + std::to_string(k) + " of " + std::to_string(n) +
                "; expected 0 to n - 1, and n at most the " + std::to_string(columns) +
                " columns of the parameters");
  auto const begin = [&](std::size_t l) {  // columns * l / n, which could overflow
    return columns / n * l + columns % n * l / n;
  };
  return {begin(k), begin(k + 1) - begin(k)};
}

}  // namespace detail

}  // namespace gossip
