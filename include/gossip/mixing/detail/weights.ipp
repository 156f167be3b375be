// Definitions of mixing/weights.hpp.
#pragma once

#include <gossip/mixing/weights.hpp>

#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE mixing_matrix lazy(mixing_matrix const &w) {
  std::vector<std::size_t> offsets{0};
  std::vector<node> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const row = w.row(i);
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      columns.push_back(row.columns[k]);
      values.push_back(row.columns[k] == i ? (row.values[k] + 1.0) / 2.0 : row.values[k] / 2.0);
    }
    offsets.push_back(columns.size());
  }
  return {std::move(offsets), std::move(columns), std::move(values)};
}

}  // namespace gossip
