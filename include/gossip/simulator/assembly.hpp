// The policies of a simulator, put together, and what follows from them alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include <gossip/core/error.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/planned_row_traffic.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/network_use.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/options.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/simulator/row_memory.hpp>
#include <gossip/simulator/run_context.hpp>
#include <gossip/simulator/run_extent.hpp>
#include <gossip/simulator/run_plan.hpp>
#include <gossip/simulator/run_types.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/sizes.hpp>

namespace gossip::detail {

/// Model, Exchange: held_model of the simulator's, and any_of its exchange. Chosen: the options.
template <class Topology, class Model, class Optimizer, class Exchange, class Chosen>
struct assembly {
  using model_type = Model;
  using backend_type = typename Chosen::backend;
  using transport_type = typename Chosen::transport;
  using T = typename Chosen::number;
  using row_type = typename Chosen::row;
  using exchange_type = Exchange;
  using source_type = source_of<backend_type>;
  using types = run_types<T, row_type, place_of<backend_type>, transport_type,
                          in_library<backend_type, transport_type> || Chosen::offers_reference>;
  static constexpr bool on_device = backend_type::on_device;

  Topology topology;
  Optimizer optimizer;
  Exchange exchange;
  Chosen options;
  Model model;

  exchange_outline exchanges() const { return exchange.outline(); }
  model_outline outline() const { return model.outline(); }

  /// The backend of a run.
  typename types::machine machine() const {
    return typename types::machine(options.backend_value());
  }
  std::size_t ranks() const { return options.transport_value().size(); }
  std::size_t ranks(run_settings const &s) const { return s.ranks > 0 ? s.ranks : ranks(); }

  /// Throws input_error where the graph cannot be.
  graph build(run_settings const &settings) const {
    if constexpr (requires { std::size_t{topology.nodes}; }) {
      std::size_t const nodes = checked_index(topology.nodes, "topology: nodes");
      fleet_size const held =
          expected_part(nodes, 0, ranks(), exchanges().in_rounds, on_device).of(size_of(nodes));
      if (settings.memory == 0 && !settings.tier)  // else they may lie on a disk
        require_memory({.rows = held.template bytes<row_type>()},
                       options.resources().available_bytes());
    }
    std::uint64_t const seed = seed_of_topology(settings);
    graph network = options.transport_value().from_root([&] { return topology.build(seed); });
    if (network.nodes() == 0) throw input_error("topology: nodes must be at least 1, got 0");
    if (exchanges().replicas_identical && network.nodes() > reproducible_sum::most_addends)
      throw input_error("all_reduce",
                        "at most " + std::to_string(reproducible_sum::most_addends) + " nodes",
                        std::to_string(network.nodes()));
    return network;
  }

  by_round<mixing_matrix> weights_for(graph const &network) const {
    return options.transport_value().from_root([&] { return exchange.weights(network); });
  }

  fleet_size size_of(std::size_t nodes) const {
    return rows_of(nodes, outline(), optimizer, exchanges());
  }
  plan_settings plan_of(run_settings const &settings, std::size_t nodes, epoch_length epoch) const {
    plan_settings plan =
        detail::plan_of<row_type>(settings, nodes, epoch, outline(), optimizer, exchanges());
    plan.functions = functions_listed_by<Exchange>;
    plan.functions_are_all = on_device;
    return plan;
  }

  /// The optimizer's arithmetic, for the engines of a run.
  typename types::arithmetic arithmetic() const {
    return arithmetic_of<types, functions_of<Exchange>>(optimizer, exchanges().gradient_waits,
                                                        outline().parameters);
  }

  std::size_t given_bytes(run_settings const &settings, sample_outline data) const {
    return detail::given_bytes(settings, outline(), data, on_device);
  }

  memory_need memory(run_settings const &settings, std::size_t nodes, std::size_t edges,
                     sample_outline data) const {
    if (nodes == 0 || checked_index(nodes, "topology: nodes") == 0)
      throw input_error("topology: nodes must be at least 1, got 0");
    largest_part const part =
        expected_part(nodes, edges, ranks(settings), exchanges().in_rounds, on_device);
    return memory(settings, data, {size_of(nodes), part, {}, edges});
  }

  memory_need need_for(run_settings const &settings, run_extent const &run) const {
    if (settings.engine == execution::reference) require_reference<Chosen>();
    return runs<types>::need(run, model, machine(), settings.engine);
  }

  /// shape: becomes that of the tier, where one is asked for.
  memory_need memory(run_settings const &settings, sample_outline data, run_extent run,
                     std::optional<tier_shape> *shape = nullptr) const {
    run.batch = settings.batch;
    run.data_bytes = given_bytes(settings, data);
    memory_need need = need_for(settings, run);
    add_copy(need, settings, on_device);
    if (need.copy > 0 && (need.total() > options.resources().available_bytes() ||
                          need.host > options.resources().available_host_bytes()))
      need.leave_copy_out();
    auto const need_with = [&](run_extent const &part) { return need_for(settings, part); };
    auto const chosen = tier_under_limit<row_type>(options.backend_value(), exchanges().in_rounds,
                                                   settings, run, need, need_with, std::identity{});
    if (shape) *shape = chosen;
    return need;
  }

  template <class... Observers>
  plan_report dry_run(run_settings const &settings, sample_outline data,
                      std::tuple<Observers...> arguments) const {
    graph const network = build(settings);
    std::size_t const n = network.nodes();
    epoch_length epoch{1, n};
    if (outline().learns_from_samples) {
      check_batch(settings.batch);
      if (data.samples == 0) throw input_error("dry_run", "at least one training sample", "none");
      epoch = {settings.batch, data.samples};
    }
    plan_settings plan = plan_of(settings, n, epoch);
    observer_list const list(arguments, epoch, n);
    plan.cadences = list.cadences();
    plan_report report;
    report.nodes = n;
    report.parameters = outline().parameters;
    report.state_bytes_per_node = state_bytes(size_of(n), sizeof(row_type));
    report.ranks = ranks(settings);
    fleet_size size = size_of(n);
    by_round<mixing_matrix> const weights = weights_for(network);
    prepared_clock const clock = detail::read(options.clock_value(), n).clock;
    auto const attached = attach(exchange, network, clock, plan, weights, size);
    report.graph = attached.known.graph;
    report.remarks = attached.known.remarks;
    rank_layout const layout(multilevel_partition(network, report.ranks), report.ranks, 0,
                             attached.owners);
    report.division = describe(network, layout.owners(), report.ranks);
    largest_part const part =
        part_of(layout, report.division.most_halo, exchanges().in_rounds, on_device, attached);
    std::optional<tier_shape> tier;
    report.memory =
        memory(settings, data, {size, part, attached.operations, network.edges()}, &tier);
    if (on_device) report.memory.data += list.test_bytes();
    window_source const next = exchange.plan(network, clock, plan, weights);
    communication_volume crossings(layout);
    planned_row_traffic rows(size, tier && tier->by_owner, tier ? tier->owners : 0);
    count_plan(next, report, report.ranks > 1 ? &crossings : nullptr, tier ? &rows : nullptr);
    report.bytes_across = crossings.total() * plan.message_bytes;
    report.use = planned_use(exchange, network, clock, plan, weights, size, settings.traced);
    return report;
  }
};

}  // namespace gossip::detail
