// Heterogeneity of a partition: distances between the classes of nodes.
#pragma once

#include <cmath>
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

inline label_distance distance_of_labels(partition const &shares,
                                         std::span<std::uint16_t const> labels,
                                         std::size_t classes) {
  std::vector<double> all(classes, 0.0), own(classes);
  for (std::uint32_t const sample : shares.samples()) ++all[labels[sample]];
  double const samples = static_cast<double>(shares.samples().size());
  label_distance found;
  for (node i = 0; i < shares.nodes(); ++i) {
    own.assign(classes, 0.0);
    for (std::uint32_t const sample : shares[i]) ++own[labels[sample]];
    double const count = static_cast<double>(shares.size(i));
    double distance = 0;
    for (std::size_t c = 0; c < classes && count > 0; ++c)
      distance += std::abs(own[c] / count - all[c] / samples);
    found.of_node.push_back(distance);
    found.mean += distance / static_cast<double>(shares.nodes());
    found.weighted += distance * count / samples;
  }
  return found;
}

}  // namespace gossip
