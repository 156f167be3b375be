// Definitions of simulator/run_plan.hpp.
#pragma once

#include <gossip/simulator/run_plan.hpp>

#include <memory>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE fleet_size rows_of(std::size_t nodes, model_outline const &model,
                                 std::size_t optimizer_rows, exchange_outline const &exchange) {
  fleet_size size{nodes, model.row_length(), optimizer_rows, exchange.replicas_identical};
  size.exchange_rows = exchange.rows;
  size.every_slot_borrows = exchange.declares_rows;
  size.servers = exchange.servers;
  size.attackers = exchange.attackers;
  return size;
}

GOSSIP_INLINE plan_settings plan_of(run_settings const &settings, std::size_t nodes,
                                    epoch_length epoch, model_outline const &model,
                                    exchange_outline const &exchange, std::size_t optimizer_rows,
                                    std::size_t element) {
  if (model.statistics > 0) require_statistics_of_servers(settings.statistics, exchange);
  plan_settings plan;
  plan.seed = settings.seed;
  plan.node_iterations = whole_rounds(total_iterations(settings, epoch, nodes), exchange, nodes);
  plan.epoch = epoch;
  plan.answers = settings.answers;
  plan.ends = std::make_shared<round_ends>();
  plan.message_bytes = columns_of_rows(settings, model).exchanged * element;
  plan.row_bytes = model.parameters * element;
  plan.columns = model.parameters;
  plan.tensors = model.tensors;
  plan.optimizer_rows = optimizer_rows;
  return plan;
}

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
