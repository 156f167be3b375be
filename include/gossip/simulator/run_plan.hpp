// The settings of plan and rows of a run, from model, optimizer, exchange and run settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/fleet/fleet.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// The rows of all nodes. optimizer_rows: of the optimizer's state.
fleet_size rows_of(std::size_t nodes, model_outline const &model, std::size_t optimizer_rows,
                   exchange_outline const &exchange);

/// The node-iterations of a run, rounded up to whole rounds of the exchange, at least one. Throws
/// input_error where that is too many. Rounds that cannot be are left to the exchange's check.
std::uint64_t whole_rounds(std::uint64_t node_iterations, exchange_outline const &exchange,
                           std::size_t nodes);

/// Throws input_error where a server's model would be evaluated without statistics of its own.
void require_statistics_of_servers(statistics_mode kept, exchange_outline const &exchange);

/// The settings of a planner, but for rates of the optimizer. optimizer_rows: of its state;
/// element: bytes of a number in rows.
plan_settings plan_of(run_settings const &settings, std::size_t nodes, epoch_length epoch,
                      model_outline const &model, exchange_outline const &exchange,
                      std::size_t optimizer_rows, std::size_t element);

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
