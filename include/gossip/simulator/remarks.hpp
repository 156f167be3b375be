// Remarks on a run before it: what its user may not expect of it, a sentence each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/held_exchange.hpp>

namespace gossip::detail {

inline std::string counted(std::uint64_t count, std::string const &what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// The rounds of clients that a run has. known: no client is absent from one, and no message lost.
std::string remark_on_stop(std::string const &name, exchange_rounds const &r, std::size_t nodes,
                           std::uint64_t node_iterations, bool known);

/// What an exchange does at the end of a period, where no period ends within the run, or rounds
/// follow the last; empty where neither is so.
std::string remark_on_period(std::string const &name, exchange_rounds const &r,
                             std::uint64_t rounds);

/// A run in which nothing is sent, or nothing that is sent reaches a model.
std::string remark_on_reach(std::string const &name, exchange_outline const &of,
                            std::uint64_t bytes, std::uint64_t node_iterations);

/// The first two nodes that average or combine rows in a window and are no neighbors, as after a
/// slip in an index; of the first operations alone, which shows what an exchange always does.
std::optional<std::pair<node, node>> strangers_in(plan_window const &window, graph const &network);

/// What is known of a run before it.
struct preview {
  graph_report graph;
  std::vector<std::string> remarks;
};

/// All of a run on this network. next: the plan, after its first window; it is read as far as is
/// needed, which is the first window but where nothing reaches a model.
std::vector<std::string> remarks_on(held_exchange const &exchange, graph const &network,
                                    prepared_clock const &clock, plan_settings const &plan,
                                    window_source const &next, plan_window &first);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/remarks.ipp>
#endif
