// A fragment of a row: some of its trainable columns, side by side.
#pragma once

#include <cstddef>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

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
void require_fragment(node i, fragment const &f, std::size_t columns);

/// The k-th of n nearly equal fragments of so many columns.
fragment nth_fragment(std::size_t k, std::size_t n, std::size_t columns);

}  // namespace detail

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/fragment.ipp>
#endif
