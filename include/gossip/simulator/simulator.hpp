// gossip::simulator: a network of learners, specialised for one topology, model, optimizer and
// exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/split.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/model/model_worker.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/engines.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/options.hpp>
#include <gossip/simulator/placement.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/simulator/requirements.hpp>
#include <gossip/simulator/run_loop.hpp>
#include <gossip/simulator/run_plan.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/sizes.hpp>

namespace gossip {

/// simulator{topology, model, optimizer, exchange, options...}: virtual_clock, backend, numbers<T>,
/// mixed_precision<Format>, mpi_ranks
template <class Topology, class Model, class Optimizer, class Exchange, class... Options>
class simulator {
  using chosen = detail::options<Options...>;
  using clock_type = typename chosen::clock;
  using backend_type = typename chosen::backend;
  using transport_type = typename chosen::transport;
  using T = typename chosen::number;
  using row_type = typename chosen::row;
  using precision_type = typename chosen::precision;
  using compute_type = std::remove_cvref_t<decltype(std::declval<clock_type>().compute)>;
  using source_type = detail::source_of<Model, backend_type>;
  static constexpr bool on_device = backend_type::on_device;
  static_assert(requirements<Topology, Model, Optimizer, Exchange, compute_type, backend_type, T,
                             precision_type, row_type>::hold);
  using model_type = decltype(detail::model_for<T, backend_type>(std::declval<Model>(),
                                                                 std::declval<precision_type>()));
  using engine_model =
      std::remove_cvref_t<decltype(detail::model_for_engine(std::declval<model_type const &>()))>;

 public:
  explicit simulator(Topology topology, Model model, Optimizer optimizer, Exchange exchange,
                     Options... options)
      : topology_(std::move(topology)),
        optimizer_(std::move(optimizer)),
        exchange_(std::move(exchange)),
        options_(std::move(options)...),
        model_(detail::model_for<T, backend_type>(std::move(model), options_.precision_value())) {
    check_optimizer(optimizer_);
    if constexpr (erased_exchange<Exchange> || erased_model<Model>)
      detail::require_finite_gradients(detail::has_scaled_loss(model_, options_.precision_value()),
                                       outline());
  }

  /// Trains the network on shares of a training set. Throws input_error where the input cannot be
  /// used, before anything is trained, and gossip::error where the run cannot go on.
  template <class Policy, class... Observers>
  run_report run(run_settings const &settings, split<Policy> const &data, Observers... observers) {
    if constexpr (!erased_model<Model>)
      static_assert(
          Model::learns_from_samples,
          "gossip::simulator::run: this model is its own data; call run without a split. See "
          "docs/policies/model.md");
    detail::require_samples(outline_of(model_), true);
    detail::check_batch(settings.batch);
    detail::check_samples(outline_of(model_), *data.data);
    graph const network = build(settings);
    std::size_t const parts = outline().shares_for(network.nodes());
    partition const shares = data.assign(parts, detail::seed_of_split(settings));
    detail::require_same_samples(options_.transport_value(), *data.data, shares);
    epoch_length const epoch{settings.batch, data.data->size()};
    std::size_t const bytes = given_bytes(settings, outline_of(*data.data));
    std::tuple<Observers...> arguments(std::move(observers)...);
    if constexpr (on_device)
      return start(settings, network, epoch,
                   source_type(*data.data, shares, settings.batch, options_.backend_value()), bytes,
                   std::move(arguments));
    else
      return start(settings, network, epoch, training_samples{data.data, &shares}, bytes,
                   std::move(arguments));
  }

  /// Trains a model that is its own data. One epoch is one round.
  template <class... Observers>
  run_report run(run_settings const &settings, Observers... observers) {
    if constexpr (!erased_model<Model>)
      static_assert(!Model::learns_from_samples,
                    "gossip::simulator::run: this model learns from samples; give run a "
                    "split(train, iid{}) after the settings. See docs/policies/split.md");
    detail::require_samples(outline_of(model_), false);
    graph const network = build(settings);
    return start(settings, network, {1, network.nodes()}, source_type{}, given_bytes(settings, {}),
                 std::tuple<Observers...>(std::move(observers)...));
  }

  /// Memory that a run on a graph of this size needs, but for what only a plan shows: room for
  /// messages, and of operations beside rows.
  memory_need memory(run_settings const &settings, std::size_t nodes, std::size_t edges,
                     sample_outline data = {}) const {
    if (nodes == 0 || checked_index(nodes, "topology: nodes") == 0)
      throw input_error("topology: nodes must be at least 1, got 0");
    detail::largest_part const part =
        detail::expected_part(nodes, edges, ranks(settings), outline().in_rounds, on_device);
    return memory(settings, data, {size_of(nodes), part, {}, edges});
  }

  /// Plans a run without training. Observers only say when the run would pause for them.
  template <class... Observers>
  plan_report dry_run(run_settings const &settings, sample_outline data,
                      Observers... observers) const {
    graph const network = build(settings);
    std::size_t const n = network.nodes();
    epoch_length epoch{1, n};
    if (outline_of(model_).learns_from_samples) {
      detail::check_batch(settings.batch);
      if (data.samples == 0) throw input_error("dry_run", "at least one training sample", "none");
      epoch = {settings.batch, data.samples};
    }
    plan_settings plan = plan_of(settings, n, epoch);
    std::tuple<Observers...> arguments(std::move(observers)...);
    detail::observer_list const list(arguments, epoch, n);
    plan.cadences = list.cadences();
    plan_report report;
    report.nodes = n;
    report.parameters = outline_of(model_).parameters;
    report.state_bytes_per_node = detail::state_bytes(size_of(n), sizeof(row_type));
    report.ranks = ranks(settings);
    fleet_size size = size_of(n);
    by_round<mixing_matrix> const weights = weights_for(network);
    prepared_clock const clock = detail::read(options_.clock_value(), n).clock;
    auto const attached = detail::attach(exchange_, network, clock, plan, weights, size);
    report.graph = attached.known.graph;
    report.remarks = attached.known.remarks;
    rank_layout const layout(multilevel_partition(network, report.ranks), report.ranks, 0,
                             attached.owners);
    report.division = describe(network, layout.owners(), report.ranks);
    detail::largest_part const part = detail::part_of(layout, report.division.most_halo,
                                                      outline().in_rounds, on_device, attached);
    report.memory = memory(settings, data, {size, part, attached.operations, network.edges()});
    if (on_device) report.memory.data += list.test_bytes();
    planner<Exchange> planner(exchange_, network, clock, plan, weights);
    communication_volume crossings(layout);
    count_plan(planner, report, report.ranks > 1 ? &crossings : nullptr);
    report.bytes_across = crossings.total() * plan.message_bytes;
    report.use = planned_use(exchange_, network, clock, plan, weights, size, settings.traced);
    return report;
  }

 private:
  graph build(run_settings const &settings) const {
    if constexpr (requires { std::size_t{topology_.nodes}; }) {
      std::size_t const nodes = checked_index(topology_.nodes, "topology: nodes");
      fleet_size const held =
          detail::expected_part(nodes, 0, ranks(), outline().in_rounds, on_device)
              .of(size_of(nodes));
      require_memory({.rows = held.template bytes<row_type>()}, options_.available_bytes());
    }
    std::uint64_t const seed = detail::seed_of_topology(settings);
    graph network = options_.transport_value().from_root([&] { return topology_.build(seed); });
    if (network.nodes() == 0) throw input_error("topology: nodes must be at least 1, got 0");
    if (outline().replicas_identical && network.nodes() > reproducible_sum::most_addends)
      throw input_error("all_reduce",
                        "at most " + std::to_string(reproducible_sum::most_addends) + " nodes",
                        std::to_string(network.nodes()));
    return network;
  }

  by_round<mixing_matrix> weights_for(graph const &network) const {
    return options_.transport_value().from_root([&] { return weights_on(exchange_, network); });
  }

  template <class Arguments>
  run_report start(run_settings const &settings, graph const &network, epoch_length epoch,
                   source_type const &source, std::size_t data_bytes, Arguments arguments) {
    detail::observer_list const list(arguments, epoch, network.nodes());
    return with_engine(
        settings.engine, [&]<class Engine>(std::type_identity<Engine>, auto const &kernel) {
          using context = observation_context<Engine, T, engine_model>;
          detail::run_observers<context> const observers(list, arguments);
          return execute<Engine>(settings, network, epoch, source, kernel, data_bytes, observers);
        });
  }

  template <class F>
  auto with_engine(execution how, F f) const {
    return detail::with_engine<chosen, Model, source_type, functions_of<Exchange>>(
        optimizer_, outline().gradient_waits, outline_of(model_).parameters, how, f);
  }

  std::size_t given_bytes(run_settings const &settings, sample_outline data) const {
    return detail::given_bytes(settings, outline_of(model_), data, on_device);
  }

  std::size_t ranks() const { return options_.transport_value().size(); }
  std::size_t ranks(run_settings const &s) const { return s.ranks > 0 ? s.ranks : ranks(); }

  memory_need memory(run_settings const &settings, sample_outline data,
                     detail::run_extent run) const {
    run.batch = settings.batch;
    run.data_bytes = given_bytes(settings, data);
    return with_engine(
        settings.engine, [&]<class Engine>(std::type_identity<Engine>, auto const &) {
          return detail::need_of<T, row_type, Engine>(run, model_, options_.backend_value());
        });
  }

  exchange_outline outline() const { return outline_of_exchange(exchange_); }
  fleet_size size_of(std::size_t nodes) const {
    return detail::rows_of(nodes, outline_of(model_), optimizer_, outline());
  }
  plan_settings plan_of(run_settings const &settings, std::size_t nodes, epoch_length epoch) const {
    return detail::plan_of<row_type>(settings, nodes, epoch, outline_of(model_), optimizer_,
                                     outline());
  }

  /// The parts of an engine for this process.
  template <class Fleet, class Kernel>
  auto engine_parts(run_settings const &settings, Fleet const &rows, source_type const &source,
                    Kernel const &kernel) const {
    model_outline const model = outline_of(model_);
    std::size_t const mixed = detail::mixed_columns(settings, model);
    std::size_t const reestimation = detail::reestimation_batches(settings, model);
    auto const functions = detail::functions_for<chosen, Exchange>();
    if constexpr (on_device)
      return engine_inputs<
          engine_types<T, typename Fleet::element, backend_type, Model, source_type, precision_type,
                       Kernel, std::remove_const_t<decltype(functions)>>>{
          options_.backend_value(),
          model_,
          rows,
          kernel,
          settings.seed,
          settings.batch,
          mixed,
          reestimation,
          source,
          options_.precision_value(),
          functions};
    else
      return host_inputs<T, row_type>{detail::machine_of<T>(options_.backend_value()),
                                      model_.held(),
                                      rows,
                                      kernel,
                                      settings.seed,
                                      settings.batch,
                                      mixed,
                                      reestimation,
                                      source,
                                      functions};
  }

  template <class Engine, class Kernel, class Context>
  run_report execute(run_settings const &settings, graph const &network, epoch_length epoch,
                     source_type const &source, Kernel const &kernel, std::size_t data_bytes,
                     detail::run_observers<Context> const &observers) {
    std::size_t const n = network.nodes();
    fleet_size size = size_of(n);
    backend_type const &backend = options_.backend_value();
    plan_settings plan = plan_of(settings, n, epoch);
    plan.samples = detail::samples_of_shares(source, outline().shares_for(n));
    plan.cadences = observers.cadences();
    auto const [clock, contents] = detail::read(options_.clock_value(), n);
    fact_list told = detail::facts_of(settings, plan, n, model_, optimizer_, exchange_, options_);
    told.insert(told.end(), contents.begin(), contents.end());
    if constexpr (transport_type::spans_ranks)
      options_.transport_value().require_same(detail::of_rank(told, settings, backend));
    by_round<mixing_matrix> const weights = weights_for(network);
    detail::attachments attached = detail::attach(exchange_, network, clock, plan, weights, size);
    detail::preview known = std::move(attached.known);
    if (settings.state) plan.answers = settings.state->template list<double>("run/answers");
    detail::placement<transport_type> const here(options_.transport_value(), network, attached,
                                                 outline().in_rounds, on_device);
    memory_need need = detail::need_of<T, row_type, Engine>(
        {size, here.part(), std::exchange(attached, {}).operations, network.edges(), settings.batch,
         data_bytes},
        model_, backend);
    if (on_device) need.data += observers.test_bytes();
    std::size_t const sharing = detail::require_room(options_, need, data_bytes);
    planner<Exchange> planner(exchange_, network, clock, plan, weights);
    [[maybe_unused]] typename backend_type::session const session{backend};
    typename Engine::fleet_type const rows = here.template fleet<typename Engine::fleet_type>(size);
    Engine engine =
        here.template engine<Engine>(engine_parts(settings, rows, source, kernel), size);
    detail::start_from_one<T>(engine, detail::model_for_engine(model_), size.parameters, settings);

    run_report report =
        detail::report_on(std::move(known), outline_of(model_),
                          detail::precision_name(model_, options_.precision_value()), size, need,
                          settings, exchange_, options_);
    Context context(engine, detail::model_for_engine(model_), size, settings.seed,
                    outline().evaluated);
    detail::run_causes const causes =
        detail::causes_of<Engine>(exchange_, network, clock, plan, weights, size);
    detail::execute_plan(planner, engine, context, observers, settings, plan.node_iterations,
                         std::move(told), causes, report);
    report.peak_resident_bytes = peak_resident_bytes();
    here.complete(report, engine, sharing);
    if (detail::is_root(engine)) observers.end(report);
    return report;
  }

  Topology topology_;
  Optimizer optimizer_;
  Exchange exchange_;
  chosen options_;
  model_type model_;
};

template <class Topology, class Model, class Optimizer, class Exchange, class... Options>
simulator(Topology, Model, Optimizer, Exchange, Options...)
    -> simulator<Topology, Model, Optimizer, Exchange, Options...>;

}  // namespace gossip
