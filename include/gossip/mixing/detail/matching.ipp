// Definitions of mixing/matching.hpp.
#pragma once

#include <gossip/mixing/matching.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE mixing_matrix pair_averages(matching const &partner) {
  std::vector<std::size_t> offsets{0};
  std::vector<node> columns;
  std::vector<double> values;
  for (std::size_t k = 0; k < partner.size(); ++k) {
    auto const i = static_cast<node>(k);
    columns.push_back(std::min(i, partner[i]));
    if (partner[i] != i) columns.push_back(std::max(i, partner[i]));
    values.resize(columns.size(), partner[i] == i ? 1.0 : 0.5);
    offsets.push_back(columns.size());
  }
  return {std::move(offsets), std::move(columns), std::move(values)};
}

}  // namespace gossip
