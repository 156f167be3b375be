// Definitions of data/heterogeneity.hpp.
#pragma once

#include <gossip/data/heterogeneity.hpp>

#include <cmath>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE label_distance distance_of_labels(partition const &shares,
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
