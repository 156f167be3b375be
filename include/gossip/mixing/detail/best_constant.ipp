// Definitions of mixing/best_constant.hpp.
#pragma once

#include <gossip/mixing/best_constant.hpp>

#include <algorithm>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/mixing/spectrum.hpp>

namespace gossip {

GOSSIP_INLINE mixing_matrix best_constant::weights(graph const &g) const {
  detail::require_undirected("best_constant", g);
  std::size_t largest = 0;
  for (std::size_t i = 0; i < g.nodes(); ++i) largest = std::max(largest, g.degree(i));
  if (largest == 0) return with(g, 0.0);
  double const d = static_cast<double>(largest), scale = 1.0 / (1.0 + d);
  mixing_matrix const w = with(g, scale);  // I - scale L
  double const second = (1.0 - second_eigenvalue(w)) / scale,
               last = (1.0 - smallest_eigenvalue(w)) / scale;
  if (second < 1e-9)
    throw input_error("best_constant", "a connected graph", "a graph that is not connected");
  return with(g, std::min(2.0 / (second + last), 1.0 / d));
}

}  // namespace gossip
