// The weights that are left where messages of a mixture are lost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// The matrix of a mixture without the messages that are lost; arrives(j, i): the fate of that from
/// node j to node i, asked once for every entry off the diagonal, ascending by receiver and sender.
/// Weights that are lost go to diagonals, so that sums which are 1 stay so. Of symmetric weights an
/// edge is left out both ways where one of its messages is lost: the mean of the network stays. Of
/// columns that sum to 1 a share that does not arrive stays with its sender. Of other rows a node
/// takes its own model for one that it does not hear.
template <class Arrives>
mixing_matrix arrived_weights(mixing_matrix const &w, Arrives arrives) {
  std::size_t const n = w.rows();
  bool const symmetric = w.is_symmetric();
  bool const stays_with_sender = !symmetric && w.sums() == stochastic::columns;
  auto const [starts, nodes, weights] = w.compressed();
  std::vector<std::uint8_t> lost(w.entries());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t e = starts[i]; e < starts[i + 1]; ++e)
      lost[e] = nodes[e] != i && !arrives(nodes[e], static_cast<node>(i));
  auto const entry = [&](std::size_t i, std::size_t j) {
    auto const row = w.row(i).columns;
    auto const found = std::lower_bound(row.begin(), row.end(), j);
    return starts[i] + static_cast<std::size_t>(found - row.begin());
  };
  std::vector<detail::compensated_sum> kept(n);
  std::vector<std::size_t> offsets{0};
  std::vector<node> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = starts[i]; e < starts[i + 1]; ++e) {
      node const j = nodes[e];
      bool const left_out = lost[e] != 0 || (symmetric && lost[entry(j, i)] != 0);
      if (left_out) kept[stays_with_sender ? j : i].add(weights[e]);
      if (left_out) continue;
      columns.push_back(j);
      values.push_back(weights[e]);
    }
    offsets.push_back(columns.size());
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t e = offsets[i]; e < offsets[i + 1]; ++e)
      if (columns[e] == i) {
        kept[i].add(values[e]);
        values[e] = kept[i].value();
      }
  return {std::move(offsets), std::move(columns), std::move(values), w.sums()};
}

}  // namespace gossip
