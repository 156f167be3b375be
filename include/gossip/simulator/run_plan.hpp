// The settings of plan and rows of a run, from model, optimizer, exchange and run settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gossip/fleet/fleet.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// The rows of all nodes.
template <class Optimizer>
fleet_size rows_of(std::size_t nodes, model_outline const &model, Optimizer const &optimizer,
                   exchange_outline const &exchange) {
  fleet_size size{nodes, model.row_length(), optimizer_rows(optimizer, exchange.gradient_waits),
                  exchange.replicas_identical};
  size.exchange_rows = exchange.rows;
  size.every_slot_borrows = exchange.declares_rows;
  size.servers = exchange.servers;
  size.attackers = exchange.attackers;
  return size;
}

/// The node-iterations of a run, rounded up to whole rounds of the exchange, at least one. Throws
/// input_error where that is too many. Rounds that cannot be are left to the exchange's check.
std::uint64_t whole_rounds(std::uint64_t node_iterations, exchange_outline const &exchange,
                           std::size_t nodes);

/// Throws input_error where a server's model would be evaluated without statistics of its own.
void require_statistics_of_servers(statistics_mode kept, exchange_outline const &exchange);

/// The settings of a planner; Row: element type of rows.
template <class Row, class Optimizer>
plan_settings plan_of(run_settings const &settings, std::size_t nodes, epoch_length epoch,
                      model_outline const &model, Optimizer const &optimizer,
                      exchange_outline const &exchange) {
  if (model.statistics > 0) require_statistics_of_servers(settings.statistics, exchange);
  plan_settings plan;
  plan.seed = settings.seed;
  plan.node_iterations = whole_rounds(total_iterations(settings, epoch, nodes), exchange, nodes);
  plan.epoch = epoch;
  plan.answers = settings.answers;
  plan.ends = std::make_shared<round_ends>();
  plan.message_bytes = columns_of_rows(settings, model).exchanged * sizeof(Row);
  plan.row_bytes = model.parameters * sizeof(Row);
  plan.columns = model.parameters;
  plan.tensors = model.tensors;
  plan.optimizer_rows = optimizer_rows(optimizer, exchange.gradient_waits);
  plan.rate = [optimizer](double at) { return rate_at(optimizer, at); };
  return plan;
}

/// Training samples of each share of the data.
template <class Source>
std::vector<std::size_t> samples_of_shares(Source const &of, std::size_t shares) {
  std::vector<std::size_t> samples(shares);
  for (std::size_t i = 0; i < shares; ++i) samples[i] = of.samples_of(static_cast<node>(i));
  return samples;
}

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/run_plan.ipp>
#endif
