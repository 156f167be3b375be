// Definitions of mixing/arrived_weights.hpp.
#pragma once

#include <gossip/mixing/arrived_weights.hpp>

#include <algorithm>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE mixing_matrix weights_without(mixing_matrix const &w, kept_sums keep,
                                            std::span<std::uint8_t const> lost) {
  std::size_t const n = w.rows();
  bool const symmetric = keep == kept_sums::both && w.is_symmetric();
  bool const of_columns =
      !symmetric && (keep == kept_sums::columns || w.sums() == stochastic::columns);
  auto const [starts, nodes, weights] = w.compressed();
  auto const is_lost = [&](std::size_t i, std::size_t j) {
    auto const row = w.row(i).columns;
    auto const found = std::lower_bound(row.begin(), row.end(), j);
    // clang 16 captures no structured binding, such as starts, where OpenMP is on.
    return lost[w.compressed().offsets[i] + static_cast<std::size_t>(found - row.begin())] != 0;
  };

  std::vector<detail::compensated_sum> given_back(n), left(n);  // to diagonals, in rows
  std::vector<std::size_t> offsets{0}, diagonal(n);
  std::vector<node> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = starts[i]; e < starts[i + 1]; ++e) {
      node const j = nodes[e];
      if (lost[e] != 0 || (symmetric && is_lost(j, i))) {
        given_back[symmetric ? i : j].add(weights[e]);
        continue;
      }
      if (j == i) diagonal[i] = columns.size();
      columns.push_back(j);
      values.push_back(weights[e]);
      left[i].add(weights[e]);
    }
    offsets.push_back(columns.size());
  }
  for (std::size_t i = 0; i < n; ++i) {
    double &own = values[diagonal[i]], sum = left[i].value();
    if (symmetric || of_columns) {
      given_back[i].add(own);
      own = given_back[i].value();
    } else if (!(sum > 0)) {
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                values.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]), 0.0);
      own = 1;
    } else if (offsets[i + 1] - offsets[i] < starts[i + 1] - starts[i]) {
      for (std::size_t e = offsets[i]; e < offsets[i + 1]; ++e) values[e] /= sum;
    }
  }
  return {std::move(offsets), std::move(columns), std::move(values),
          of_columns ? stochastic::columns : stochastic::rows, w.own()};
}

}  // namespace gossip
