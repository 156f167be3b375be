// gossip::simulator: a network of learners, specialised for one topology, model, optimizer and
// exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gossip/core/compiled.hpp>
#include <gossip/data/split.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/assembly.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/held_policies.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/options.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/requirements.hpp>
#include <gossip/simulator/run_types.hpp>
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
  using held_model = detail::held_model<T, backend_type, Model, precision_type>;
  using model_type = typename held_model::type;
  using held_exchange = detail::any_of<Exchange>;
  using types = detail::run_types<
      T, typename chosen::row, detail::place_of<backend_type>, typename chosen::transport,
      detail::in_library<backend_type, typename chosen::transport> || chosen::offers_reference>;
  // The class of all simulators with these numbers, place and ranks, whatever their policies.
  using assembly_type = detail::assembly<types>;
  using context_type = typename assembly_type::context_type;

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
    return begin(of_->context(settings, *data.data,
                              [&data](std::size_t parts, std::uint64_t seed) {
                                return data.assign(parts, seed);
                              }),
                 std::tuple<Observers...>(std::move(observers)...));
  }
  template <class... Observers>
  auto start(run_settings const &settings, Observers... observers) const {
    if constexpr (!erased_model<Model>)
      static_assert(!Model::learns_from_samples,
                    "gossip::simulator::run: this model learns from samples; give run a "
                    "split(train, iid{}) after the settings. See docs/policies/split.md");
    return begin(of_->context(settings), std::tuple<Observers...>(std::move(observers)...));
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
    std::tuple<Observers...> all(std::move(observers)...);
    return of_->dry_run(settings, data, [&all](epoch_length epoch, std::size_t nodes) {
      return detail::observer_list(all, epoch, nodes);
    });
  }

 private:
  static std::shared_ptr<assembly_type const> assembled(Topology topology, Model model,
                                                        Optimizer const &optimizer,
                                                        held_exchange exchange,
                                                        chosen const &options) {
    static_assert(
        detail::in_library<backend_type, typename chosen::transport> ||
            requires { sizeof(detail::runs_are_here<types>); },
        "gossip::simulator: gossip::compiled has runs of hosts in one process; for ranks and "
        "devices #include <gossip/simulator/runs.hpp>. See docs/installing.md");
    check_optimizer(optimizer);
    model_type held = held_model::of(std::move(model), options.precision_value());
    if constexpr (erased_exchange<Exchange> || erased_model<Model>)
      detail::require_finite_gradients(held.scales_loss(), exchange.outline());
    if constexpr (backend_type::on_device)
      detail::require_wide_rows(held.scales_loss(), std::is_same_v<typename chosen::row, T>);
    bool const waits = exchange.outline().gradient_waits;
    std::size_t const parameters = held.outline().parameters;
    auto const arithmetic = [waits, parameters](Optimizer const &of) {
      return detail::arithmetic_of<types, functions_of<held_exchange>>(of, waits, parameters);
    };
    auto const machine = [backend = options.backend_value()] {
      return typename types::machine(backend);
    };
    using optimizer_type = detail::held_optimizer<typename types::arithmetic>;
    return std::make_shared<assembly_type>(assembly_type{
        detail::held_topology::of(std::move(topology)), std::move(held),
        optimizer_type::of(optimizer, waits, arithmetic), std::move(exchange),
        functions_listed_by<held_exchange>, detail::held_clock::of(options.clock_value()), machine,
        options.transport_value(), chosen::offers_reference});
  }

  template <class Arguments>
  auto begin(context_type run, Arguments given) const {
    auto const kept = std::make_shared<std::pair<decltype(of_), Arguments>>(of_, std::move(given));
    detail::run_observers<typename types::context_type> observers(
        detail::observer_list(kept->second, run.epoch, run.network.nodes()), kept->second);
    return training_run(
        of_->begin(kept, std::move(run), std::move(observers), detail::compilation_of_file()));
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
