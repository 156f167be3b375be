// Whether models are numbers still: what a run's last step may have made of them, which no loss
// sees any more.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/ranked_rows.hpp>

namespace gossip {

/// Throws error, alike on every rank, unless all parameters in host memory are finite.
template <class Rows, class Backend>
void require_finite(Rows const &rows, Backend const &backend) {
  fleet_size const &size = rows.size();
  auto const diverged = [&](node i) {
    auto const *const row = held_parameters(rows, i);
    bool finite = true;
    for (std::size_t c = 0; c < size.parameters; ++c)
      finite &= std::isfinite(static_cast<double>(row[c]));
    return std::uint64_t{!finite};
  };
  std::vector<std::uint64_t> found(size.rows(), 0);
  if (size.shared) {
    found[0] = diverged(0);
  } else {
    auto const held = held_nodes(rows);
    backend.for_each(held.size(), [&](std::size_t, std::size_t k) {
      node const i = held[k];
      found[i] = diverged(i);
    });
    add_up(rows, found);
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] > 0)
      throw error((size.shared ? "all nodes" : "node " + std::to_string(i)) +
                  ", after the last step: the model has a number that is not finite; a smaller "
                  "rate or a warm-up may keep it finite");
}

}  // namespace gossip
