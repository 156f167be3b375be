// Members of simulator/assembly.hpp, for the types of runs that a program has for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/arithmetic.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/hash.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/engine/distributed/communication_volume.hpp>
#include <gossip/engine/planned_row_traffic.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/simulator/assembly.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/network_use.hpp>
#include <gossip/simulator/provenance.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/resources.hpp>
#include <gossip/simulator/row_memory.hpp>
#include <gossip/simulator/run_plan.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/simulator/sizes.hpp>

namespace gossip::detail {

template <class Types>
void assembly<Types>::require_reference() const {
  if (transport_type::spans_ranks)
    throw input_error(
        "engine: expected levelled, since there are several ranks, got reference, which needs "
        "the rows of all nodes in one process; run it in one process, whose results are "
        "identical");
  if (on_device)
    throw input_error("engine: expected levelled on a device, got reference, which runs on hosts");
  if (!offers_reference)
    throw input_error(
        "engine: expected levelled, or a simulator with the option gossip::with_reference{}, got "
        "reference");
}

template <class Types>
graph assembly<Types>::build(run_settings const &settings) const {
  if (topology.nodes) {
    std::size_t const nodes = checked_index(*topology.nodes, "topology: nodes");
    fleet_size const held =
        expected_part(nodes, 0, transport.size(), exchanges().in_rounds, on_device)
            .of(size_of(nodes));
    if (settings.memory == 0 && !settings.tier) {  // else they may lie on a disk
      machine_type const here = machine();
      require_memory({.rows = held.template bytes<row_type>()},
                     run_resources(here, transport).available_bytes());
    }
  }
  std::uint64_t const seed = seed_of_topology(settings);
  graph network = transport.from_root([&] { return topology.build(seed); });
  if (network.nodes() == 0) throw input_error("topology: nodes must be at least 1, got 0");
  if (exchanges().replicas_identical && network.nodes() > reproducible_sum::most_addends)
    throw input_error("all_reduce",
                      "at most " + std::to_string(reproducible_sum::most_addends) + " nodes",
                      std::to_string(network.nodes()));
  return network;
}

template <class Types>
by_round<mixing_matrix> assembly<Types>::weights_for(graph const &network) const {
  return transport.from_root([&] { return exchange.weights(network); });
}

template <class Types>
fleet_size assembly<Types>::size_of(std::size_t nodes) const {
  return rows_of(nodes, outline(), optimizer.rows, exchanges());
}

template <class Types>
plan_settings assembly<Types>::plan_of(run_settings const &settings, std::size_t nodes,
                                       epoch_length epoch) const {
  plan_settings plan = detail::plan_of(settings, nodes, epoch, outline(), exchanges(),
                                       optimizer.rows, sizeof(row_type));
  plan.rate = optimizer.rate;
  plan.functions = functions;
  plan.functions_are_all = on_device;
  return plan;
}

template <class Types>
auto assembly<Types>::context(
    run_settings const &settings, dataset const &training,
    std::function<partition(std::size_t, std::uint64_t)> const &divide) const -> context_type {
  require_samples(outline(), true);
  check_batch(settings.batch);
  check_samples(outline(), training);
  graph network = build(settings);
  std::size_t const parts = exchanges().shares_for(network.nodes());
  auto const shares = std::make_shared<partition const>(divide(parts, seed_of_split(settings)));
  require_same_samples(transport, training, *shares);
  std::size_t const bytes = given_bytes(settings, outline_of(training));
  auto source = [&]() -> typename Types::source_type {
    if constexpr (on_device)
      return {training, *shares, machine()};
    else
      return {&training, shares.get()};
  }();
  return {settings, std::move(network), {settings.batch, training.size()},
          shares,   std::move(source),  bytes};
}

template <class Types>
auto assembly<Types>::context(run_settings const &settings) const -> context_type {
  require_samples(outline(), false);
  graph network = build(settings);
  epoch_length const epoch{1, network.nodes()};
  return {settings, std::move(network), epoch, nullptr, {}, given_bytes(settings, {})};
}

template <class Types>
fact_list assembly<Types>::facts_of(run_settings const &settings, plan_settings const &plan,
                                    std::size_t nodes) const {
  fact_list all = detail::facts_of(settings, plan, nodes, outline().row_length());
  add_facts(all, "statistics", settings.statistics);
  add_facts(all, "reestimation", settings.reestimation);
  add_facts(all, "answers", settings.answers);
  if (!settings.start.empty())
    all.emplace_back(
        "start", hex(hash_bytes(settings.start.data(), settings.start.size() * sizeof(double))));
  for (fact_list const &facts :
       {model.facts(), optimizer.facts, exchange.facts("the exchange"), clock.facts})
    all.insert(all.end(), facts.begin(), facts.end());
  return all;
}

template <class Types>
prepared_plan assembly<Types>::prepare(context_type const &run,
                                       std::vector<cadence> cadences) const {
  std::size_t const n = run.network.nodes();
  plan_settings settings = plan_of(run.settings, n, run.epoch);
  read_clock times = clock.read(n);
  settings.samples = samples_of_shares(run.source, exchanges().shares_for(n));
  settings.cadences = std::move(cadences);
  fact_list facts = facts_of(run.settings, settings, n);
  prepared_plan plan(std::move(settings), std::move(times), std::move(facts), size_of(n));
  if constexpr (transport_type::spans_ranks) {
    fact_list rank = of_rank(plan.facts, run.settings, machine());
    if constexpr (!on_device) rank.emplace_back("device of gradients", model.device_name());
    transport.require_same(rank);
  }
  plan.attach(exchange, run.network, weights_for(run.network), run.settings.state);
  return plan;
}

template <class Types>
run_pointer<Types> assembly<Types>::begin(std::shared_ptr<void const> kept, context_type run,
                                          run_observers<typename Types::context_type> observers,
                                          compilation program) const {
  execution const how = run.settings.engine;
  if (how == execution::reference) require_reference();
  prepared_plan plan = prepare(run, observers.cadences());
  return runs<Types>::begin(
      {std::move(kept), model, machine(), transport, exchange, std::move(run), std::move(plan),
       optimizer.arithmetic(), std::move(observers), std::move(program)},
      how);
}

template <class Types>
std::size_t assembly<Types>::given_bytes(run_settings const &settings, sample_outline data) const {
  return detail::given_bytes(settings, outline(), data, on_device);
}

template <class Types>
memory_need assembly<Types>::need_for(run_settings const &settings, run_extent const &run) const {
  if (settings.engine == execution::reference) require_reference();
  return runs<Types>::need(run, model, machine(), settings.engine);
}

template <class Types>
memory_need assembly<Types>::memory(run_settings const &settings, std::size_t nodes,
                                    std::size_t edges, sample_outline data) const {
  if (nodes == 0 || checked_index(nodes, "topology: nodes") == 0)
    throw input_error("topology: nodes must be at least 1, got 0");
  largest_part const part =
      expected_part(nodes, edges, ranks(settings), exchanges().in_rounds, on_device);
  return memory(settings, data, {size_of(nodes), part, {}, edges}, nullptr);
}

template <class Types>
memory_need assembly<Types>::memory(run_settings const &settings, sample_outline data,
                                    run_extent run, std::optional<tier_shape> *shape) const {
  run.batch = settings.batch;
  run.data_bytes = given_bytes(settings, data);
  memory_need need = need_for(settings, run);
  add_copy(need, settings, on_device);
  machine_type const here = machine();
  run_resources const resources(here, transport);
  if (need.copy > 0 &&
      (need.total() > resources.available_bytes() || need.host > resources.available_host_bytes()))
    need.leave_copy_out();
  auto const need_with = [&](run_extent const &part) { return need_for(settings, part); };
  auto const chosen = tier_under_limit<row_type>(here, exchanges().in_rounds, settings, run, need,
                                                 need_with, std::identity{});
  if (shape) *shape = chosen;
  return need;
}

template <class Types>
plan_report assembly<Types>::dry_run(
    run_settings const &settings, sample_outline data,
    std::function<observer_list(epoch_length, std::size_t)> const &observers) const {
  graph const network = build(settings);
  std::size_t const n = network.nodes();
  epoch_length epoch{1, n};
  if (outline().learns_from_samples) {
    check_batch(settings.batch);
    if (data.samples == 0) throw input_error("dry_run", "at least one training sample", "none");
    epoch = {settings.batch, data.samples};
  }
  plan_settings plan = plan_of(settings, n, epoch);
  observer_list const list = observers(epoch, n);
  plan.cadences = list.cadences();
  plan_report report;
  report.nodes = n;
  report.parameters = outline().parameters;
  report.state_bytes_per_node = state_bytes(size_of(n), sizeof(row_type));
  report.ranks = ranks(settings);
  fleet_size size = size_of(n);
  by_round<mixing_matrix> const weights = weights_for(network);
  prepared_clock const times = clock.read(n).clock;
  auto const attached = attach(exchange, network, times, plan, weights, size);
  report.graph = attached.known.graph;
  report.remarks = attached.known.remarks;
  rank_layout const layout(multilevel_partition(network, report.ranks), report.ranks, 0,
                           attached.owners);
  report.division = describe(network, layout.owners(), report.ranks);
  largest_part const part =
      part_of(layout, report.division.most_halo, exchanges().in_rounds, on_device, attached);
  std::optional<tier_shape> tier;
  report.memory = memory(settings, data, {size, part, attached.operations, network.edges()}, &tier);
  if (on_device) report.memory.data += list.test_bytes();
  window_source const next = exchange.plan(network, times, plan, weights);
  communication_volume crossings(layout);
  planned_row_traffic rows(size, tier && tier->by_owner, tier ? tier->owners : 0);
  count_plan(next, report, report.ranks > 1 ? &crossings : nullptr, tier ? &rows : nullptr);
  report.bytes_across = crossings.total() * plan.message_bytes;
  report.use = planned_use(exchange, network, times, plan, weights, size, settings.traced);
  return report;
}

}  // namespace gossip::detail
