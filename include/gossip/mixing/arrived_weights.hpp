// The weights that are left where messages of a mixture are lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
mixing_matrix weights_without(mixing_matrix const &w, kept_sums keep,
                              std::span<std::uint8_t const> lost);

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

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/arrived_weights.ipp>
#endif
