// Heterogeneity of a partition: distances between the classes of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/data/sample_assignment.hpp>

namespace gossip {

/// Distances of nodes' proportions of classes p_i(c) to those of all samples that any node has:
/// sum_c |p_i(c) - p(c)|, from 0 to below 2. Y. Zhao, M. Li, L. Lai, N. Suda, D. Civin, V. Chandra,
/// "Federated learning with non-IID data", 2018, who call it the earth mover's distance.
struct label_distance {
  std::vector<double> of_node;  // (nodes)
  double mean = 0;              ///< over the nodes
  double weighted = 0;          ///< by their numbers of samples
};

label_distance distance_of_labels(partition const &shares, std::span<std::uint16_t const> labels,
                                  std::size_t classes);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/heterogeneity.ipp>
#endif
