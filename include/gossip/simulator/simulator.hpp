// gossip::simulator: a network of learners, specialised for one topology, model, optimizer and
// exchange.
#pragma once

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gossip/core/compiled.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/split.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/assembly.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/options.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/prepared_plan.hpp>
#include <gossip/simulator/requirements.hpp>
#include <gossip/simulator/run_context.hpp>
#include <gossip/simulator/run_types.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/training_run.hpp>

namespace gossip {

/// simulator{topology, model, optimizer, exchange, options...}: virtual_clock, backend, numbers<T>,
/// mixed_precision<Format>, mpi_ranks, with_reference
template <class Topology, class Model, class Optimizer, class Exchange, class... Options>
class simulator {
  using chosen = detail::options<Options...>;
  using backend_type = typename chosen::backend;
  using T = typename chosen::number;
  using precision_type = typename chosen::precision;
  using compute_type =
      std::remove_cvref_t<decltype(std::declval<typename chosen::clock>().compute)>;
  static_assert(requirements<Topology, Model, Optimizer, Exchange, compute_type, backend_type, T,
                             precision_type, typename chosen::row>::hold);
  // Nothing below depends on the types of the exchange and of the model.
  using held_model = detail::held_model<T, backend_type, Model, precision_type>;
  using assembly_type = detail::assembly<Topology, typename held_model::type, Optimizer,
                                         detail::any_of<Exchange>, chosen>;
  using source_type = typename assembly_type::source_type;
  using context_type = detail::run_context<source_type>;

 public:
  explicit simulator(Topology topology, Model model, Optimizer optimizer, Exchange exchange,
                     Options... options)
      : of_(assembled(std::move(topology), std::move(model), std::move(optimizer),
                      std::move(exchange), chosen(std::move(options)...))) {}

  /// Trains the network on shares of a training set. Throws input_error where the input cannot be
  /// used, before anything is trained, and gossip::error where the run cannot go on.
  template <class Policy, class... Observers>
  run_report run(run_settings const &settings, split<Policy> const &data,
                 Observers... observers) const {
    auto run = start(settings, data, std::move(observers)...);
    run.advance();
    return run.report();
  }

  /// Trains a model that is its own data. One epoch is one round.
  template <class... Observers>
  run_report run(run_settings const &settings, Observers... observers) const {
    auto run = start(settings, std::move(observers)...);
    run.advance();
    return run.report();
  }

  /// Starts such a run: everything that run() does before the first training. Returns a
  /// training_run, which is advanced in pieces and keeps what it needs of the simulator.
  template <class Policy, class... Observers>
  auto start(run_settings const &settings, split<Policy> const &data,
             Observers... observers) const {
    if constexpr (!erased_model<Model>)
      static_assert(
          Model::learns_from_samples,
          "gossip::simulator::run: this model is its own data; call run without a split. See "
          "docs/policies/model.md");
    detail::require_samples(of_->outline(), true);
    detail::check_batch(settings.batch);
    detail::check_samples(of_->outline(), *data.data);
    graph network = of_->build(settings);
    std::size_t const parts = of_->exchanges().shares_for(network.nodes());
    auto const shares =
        std::make_shared<partition const>(data.assign(parts, detail::seed_of_split(settings)));
    detail::require_same_samples(of_->options.transport_value(), *data.data, *shares);
    std::size_t const bytes = of_->given_bytes(settings, outline_of(*data.data));
    auto source = [&]() -> source_type {
      if constexpr (assembly_type::on_device)
        return source_type(*data.data, *shares, of_->options.backend_value());
      else
        return {data.data, shares.get()};
    }();
    return begin(context_type{settings,
                              std::move(network),
                              {settings.batch, data.data->size()},
                              shares,
                              std::move(source),
                              bytes},
                 std::tuple<Observers...>(std::move(observers)...));
  }
  template <class... Observers>
  auto start(run_settings const &settings, Observers... observers) const {
    if constexpr (!erased_model<Model>)
      static_assert(!Model::learns_from_samples,
                    "gossip::simulator::run: this model learns from samples; give run a "
                    "split(train, iid{}) after the settings. See docs/policies/split.md");
    detail::require_samples(of_->outline(), false);
    graph network = of_->build(settings);
    epoch_length const epoch{1, network.nodes()};
    return begin(context_type{settings, std::move(network), epoch, nullptr, source_type{},
                              of_->given_bytes(settings, {})},
                 std::tuple<Observers...>(std::move(observers)...));
  }

  /// Memory that a run on a graph of this size needs, but for what only a plan shows: room for
  /// messages, and of operations beside rows.
  memory_need memory(run_settings const &settings, std::size_t nodes, std::size_t edges,
                     sample_outline data = {}) const {
    return of_->memory(settings, nodes, edges, data);
  }

  /// Plans a run without training. Observers only say when the run would pause for them.
  template <class... Observers>
  plan_report dry_run(run_settings const &settings, sample_outline data,
                      Observers... observers) const {
    return of_->dry_run(settings, data, std::tuple<Observers...>(std::move(observers)...));
  }

 private:
  static std::shared_ptr<assembly_type const> assembled(Topology topology, Model model,
                                                        Optimizer optimizer,
                                                        detail::any_of<Exchange> exchange,
                                                        chosen options) {
    check_optimizer(optimizer);
    auto held = held_model::of(std::move(model), options.precision_value());
    if constexpr (erased_exchange<Exchange> || erased_model<Model>)
      detail::require_finite_gradients(held.scales_loss(), exchange.outline());
    if constexpr (backend_type::on_device)
      detail::require_wide_rows(held.scales_loss(), std::is_same_v<typename chosen::row, T>);
    return std::make_shared<assembly_type>(assembly_type{std::move(topology), std::move(optimizer),
                                                         std::move(exchange), std::move(options),
                                                         std::move(held)});
  }

  template <class Arguments>
  auto begin(context_type run, Arguments given) const {
    using types = typename assembly_type::types;
    static_assert(
        detail::in_library<backend_type, typename chosen::transport> ||
            requires { sizeof(detail::runs_are_here<types>); },
        "gossip::simulator: gossip::compiled has runs of hosts in one process; for ranks and "
        "devices #include <gossip/simulator/runs.hpp>. See docs/installing.md");
    if (run.settings.engine == execution::reference) detail::require_reference<chosen>();
    execution const how = run.settings.engine;
    auto const kept = std::make_shared<std::pair<decltype(of_), Arguments>>(of_, std::move(given));
    detail::run_observers<typename types::context_type> observers(
        detail::observer_list(kept->second, run.epoch, run.network.nodes()), kept->second);
    detail::prepared_plan plan = detail::prepare_plan(*of_, run, observers.cadences());
    return training_run(detail::runs<types>::begin(
        {kept, of_->model, of_->machine(), of_->options.transport_value(), of_->exchange,
         std::move(run), std::move(plan), of_->arithmetic(), std::move(observers),
         detail::compilation_of_file()},
        how));
  }

  std::shared_ptr<assembly_type const> of_;
};

template <class Topology, class Model, class Optimizer, class Exchange, class... Options>
simulator(Topology, Model, Optimizer, Exchange, Options...)
    -> simulator<Topology, Model, Optimizer, Exchange, Options...>;

}  // namespace gossip

#ifdef GOSSIP_COMPILED
#include <gossip/simulator/compiled_code.hpp>
#else
#include <gossip/simulator/runs.hpp>
#endif
