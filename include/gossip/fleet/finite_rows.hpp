// The check that models are finite at the end of a run: no loss shows the effect of its last step.
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
#include <gossip/fleet/row_window.hpp>

namespace gossip {

/// Throws error, alike on every rank, unless all parameters are finite; window by window. who: a
/// name for the owners of the rows.
template <class Rows, class Backend>
void require_finite(Rows const &rows, Backend const &backend, std::string const &who = "node ") {
  fleet_size const &size = rows.size();
  std::vector<std::uint64_t> found(size.rows(), 0);
  auto const held = held_nodes(rows);
  each_window(rows, 0, size.parameters, [&](auto const &part) {
    backend.for_each(part.values.rows, [&](std::size_t, std::size_t k) {
      bool finite = true;
      for (auto const number : part.values[k]) finite &= std::isfinite(static_cast<double>(number));
      found[size.shared ? node{0} : held[part.begin + k]] |= std::uint64_t{!finite};
    });
  });
  if (!size.shared) all_reduce_sum(rows, found);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] > 0)
      throw diverged((size.shared ? "all nodes" : who + std::to_string(i)) +
                     ", after the last step: the model has a number that is not finite; a smaller "
                     "rate or a warm-up may keep it finite");
}

}  // namespace gossip
