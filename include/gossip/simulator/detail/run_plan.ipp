// Definitions of simulator/run_plan.hpp.
#pragma once

#include <gossip/simulator/run_plan.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::uint64_t whole_rounds(std::uint64_t node_iterations,
                                         exchange_outline const &exchange, std::size_t nodes) {
  exchange_rounds const &of = exchange.rounds;
  if (!exchange.in_rounds || of.steps == 0 || of.clients > nodes) return node_iterations;
  std::uint64_t const clients = of.clients > 0 ? of.clients : nodes;
  if (of.steps > 1'000'000'000'000'000 / clients)
    throw input_error("run: stop", "a round of fewer than 10^15 node-iterations",
                      std::to_string(clients) + " clients with " + std::to_string(of.steps) +
                          " local steps each");
  std::uint64_t const round = clients * of.steps;
  return (node_iterations + round - 1) / round * round;
}

GOSSIP_INLINE void require_statistics_of_servers(statistics_mode kept,
                                                 exchange_outline const &exchange) {
  if (exchange.evaluated != evaluated_models::servers) return;
  if (exchange.gradients_alone && kept != statistics_mode::reestimated)
    throw input_error("run: statistics",
                      "reestimated, or evaluated set to nodes, for an exchange whose server "
                      "receives gradients alone",
                      value_names<statistics_mode>::names[static_cast<std::size_t>(kept)]);
  if (kept == statistics_mode::own)
    throw input_error("run: statistics", "mixed or reestimated, since servers are evaluated",
                      "own");
}

}  // namespace gossip::detail
