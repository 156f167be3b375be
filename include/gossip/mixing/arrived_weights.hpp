// The weights that are left where messages of a mixture are lost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// The sums that stay 1 where messages are lost. both: an edge is left out both ways where one of
/// its messages is lost, and its weight goes to both diagonals, so that the mean of the network
/// stays; for symmetric weights, others keep those that they were made for. rows: what is left of a
/// row is divided by its sum; where that is not above 0 a node keeps its model. columns: a share
/// that does not arrive stays with its sender.
enum class kept_sums : std::uint8_t { both, rows, columns };

/// The matrix of a mixture without some of its messages. lost: whether that of an entry of the
/// compressed matrix is, in its order; of entries on the diagonal it says 0. Throws input_error for
/// columns to be kept that do not sum to 1.
inline mixing_matrix weights_without(mixing_matrix const &w, kept_sums keep,
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

/// The same; arrives(j, i): the fate of the message from node j to node i, asked once for every
/// entry off the diagonal, ascending by receiver and sender.
template <class Arrives>
mixing_matrix arrived_weights(mixing_matrix const &w, kept_sums keep, Arrives arrives) {
  auto const [starts, nodes, weights] = w.compressed();
  std::vector<std::uint8_t> lost(w.entries());
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t e = starts[i]; e < starts[i + 1]; ++e)
      lost[e] = nodes[e] != i && !arrives(nodes[e], static_cast<node>(i));
  return weights_without(w, keep, lost);
}

}  // namespace gossip
