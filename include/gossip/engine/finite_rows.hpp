// The check that models are finite at the end of a run: no loss shows the effect of its last step.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip {

/// Throws row_fault, alike on every rank, unless all parameters are finite; window by window. The
/// owners are nodes, or servers behind `first` nodes; the last `attackers` need not be finite.
template <class Rows, class Backend>
void require_finite(Rows const &rows, Backend const &backend, std::size_t first = 0,
                    std::size_t attackers = 0) {
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
  for (std::size_t i = 0; i + attackers < found.size(); ++i) {
    if (found[i] == 0) continue;
    std::string const who = (first > 0 ? "server " : "node ") + std::to_string(i);
    throw row_fault((size.shared ? "all nodes" : who) +
                        ", after the last step: the model has a number that is not finite",
                    std::nullopt, static_cast<node>(first + i));
  }
}

}  // namespace gossip
