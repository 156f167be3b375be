// The policies of a simulator, put together, and what follows from them alone. Compiled once for
// all topologies, models, optimizers and exchanges: simulator/assembly_members.hpp has the members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <gossip/core/compiled.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/held_policies.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/prepared_plan.hpp>
#include <gossip/simulator/run_context.hpp>
#include <gossip/simulator/run_extent.hpp>
#include <gossip/simulator/run_types.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// Types: run_types.
template <class Types>
struct assembly {
  using T = typename Types::number;
  using row_type = typename Types::row_type;
  using machine_type = typename Types::machine;
  using transport_type = typename Types::transport_type;
  using context_type = run_context<typename Types::source_type>;
  static constexpr bool on_device = Types::place::on_device;

  held_topology topology;
  typename Types::model_type model;
  held_optimizer<typename Types::arithmetic> optimizer;
  held_exchange exchange;
  std::span<listed_function const> functions;  ///< that the exchange lists
  held_clock clock;
  std::function<machine_type()> machine;  ///< the backend, with the threads that it has now
  transport_type transport;
  bool offers_reference;  ///< has the option with_reference

  exchange_outline exchanges() const { return exchange.outline(); }
  model_outline outline() const { return model.outline(); }

  /// The context of a run on shares of a training set, which outlives the run.
  /// divide(parts, seed): the shares. Throws input_error where the samples do not fit the model, or
  /// ranks differ in them.
  context_type context(run_settings const &settings, dataset const &training,
                       std::function<partition(std::size_t, std::uint64_t)> const &divide) const;
  /// The context of a run of a model that is its own data.
  context_type context(run_settings const &settings) const;

  /// A run that begins, by the engine that its settings name; see run_parts. Throws input_error
  /// where ranks differ in a policy, or a simulator has no such engine.
  run_pointer<Types> begin(std::shared_ptr<void const> kept, context_type run,
                           run_observers<typename Types::context_type> observers,
                           compilation program) const;

  /// Memory that a run on a graph of this size needs, but for what only a plan shows.
  memory_need memory(run_settings const &settings, std::size_t nodes, std::size_t edges,
                     sample_outline data) const;

  /// Plans a run without training. observers(epoch, nodes): of the run.
  plan_report dry_run(
      run_settings const &settings, sample_outline data,
      std::function<observer_list(epoch_length, std::size_t nodes)> const &observers) const;

 private:
  std::size_t ranks(run_settings const &s) const {
    return s.ranks > 0 ? s.ranks : transport.size();
  }
  /// Throws input_error where a simulator cannot execute by the reference engine.
  void require_reference() const;
  /// Throws input_error where the graph cannot be.
  graph build(run_settings const &settings) const;
  by_round<mixing_matrix> weights_for(graph const &network) const;
  fleet_size size_of(std::size_t nodes) const;
  plan_settings plan_of(run_settings const &settings, std::size_t nodes, epoch_length epoch) const;
  /// Settings and policies that all ranks must share.
  fact_list facts_of(run_settings const &settings, plan_settings const &plan,
                     std::size_t nodes) const;
  prepared_plan prepare(context_type const &run, std::vector<cadence> cadences) const;
  std::size_t given_bytes(run_settings const &settings, sample_outline data) const;
  memory_need need_for(run_settings const &settings, run_extent const &run) const;
  /// shape: becomes that of the tier, where one is asked for.
  memory_need memory(run_settings const &settings, sample_outline data, run_extent run,
                     std::optional<tier_shape> *shape) const;
};

}  // namespace gossip::detail
