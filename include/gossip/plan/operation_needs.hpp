// Counts of what operations need beside rows, taken from a window: no type says them of an
// exchange.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

struct operation_needs {
  std::size_t whole_rows = 0;  ///< rows that an operation on whole rows names, at most
  std::size_t at_once = 0;     ///< operations that end a stage together, at most
  bool reduces_rows = false;   ///< whether any of them makes a scalar of rows
  bool sums = false;           ///< whether rows of many nodes are summed
  std::size_t matrices = 0;    ///< that the window has for itself
  std::size_t entries = 0;     ///< of all these

  constexpr operation_needs() = default;
  /// Of a window.
  explicit operation_needs(plan_window const &window) : matrices(window.own_matrices.size()) {
    for (operation const &o : window.stream) {
      if (o.kind() == operation_kind::whole_rows) whole_rows = std::max(whole_rows, o.rows.size());
      reduces_rows |= o.kind() == operation_kind::reduce_rows;
      sums |= o.kind() == operation_kind::sum;
    }
    for (std::size_t l = 0; l < window.levels(); ++l)
      at_once = std::max(at_once, window.level(l).last.size());
    for (mixing_matrix const &w : window.own_matrices) entries += w.entries();
  }
};

}  // namespace gossip
