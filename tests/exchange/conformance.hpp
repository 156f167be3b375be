// Simulators for tests whose observers, numbers or data are their own, and for the suite of
// laws.hpp: with their headers a test takes twice the time to compile. A new optimizer joins the
// suite with a line in optimizers().
#pragma once

#include <gossip/backend/cpu.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/named_record.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/simulator/simulator.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "laws.hpp"
#include "same_runs.hpp"

namespace gossip::test {

/// A simulator whose topology, optimizer and exchange are types that hold any, so that it is
/// compiled once for a model and its options, however many tests have one.
template <class Model, class... Options>
struct small_simulator
    : simulator<some_topology, Model, some_optimizer, some_exchange, with_reference, Options...> {
  template <class Optimizer>
  small_simulator(some_topology const &topology, Model const &model, Optimizer const &optimizer,
                  some_exchange const &exchange, Options const &...options)
      : simulator<some_topology, Model, some_optimizer, some_exchange, with_reference, Options...>(
            topology, model, {optimizer}, exchange, with_reference{}, options...) {}
};
template <class Topology, class Model, class Optimizer, class Exchange, class... Options>
small_simulator(Topology const &, Model const &, Optimizer const &, Exchange const &,
                Options const &...) -> small_simulator<Model, Options...>;

/// A line an optimizer.
inline std::vector<some_optimizer> optimizers() {
  return {{sgd{.rate = 0.1}},
          {sgd{.rate = 0.1, .weight_decay = 0.01}},
          {sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}},
          {sgd{.rate = 0.1, .momentum = 0.9, .nesterov = true}},
          {adam{.rate = 0.01, .weight_decay = 0.01}},
          {adamw{.rate = 0.01}},
          {signum{.rate = 0.01}},
          {scheduled{sgd{.rate = 0.1}, warm_up<cosine_decay>{.epochs = 2, .then = {.epochs = 9}}}}};
}

/// Keeps what it sees behind the start, as a part of the run's state; the vector outlives the run.
struct watch {
  std::vector<snapshot> *seen;

  void name_state(state_visitor const &visit) {
    std::uint64_t looks = seen->size(), number = 0;
    visit.value("looks", looks);
    seen->resize(looks);
    for (snapshot &one : *seen) {
      auto const own = visit.within(std::to_string(number++));
      std::uint64_t nodes = one.rows.size();
      name_record(own, one.at);
      own.value("nodes", nodes);
      one.rows.resize(nodes);
      for (std::size_t i = 0; i < nodes; ++i) own.list("node " + std::to_string(i), one.rows[i]);
    }
  }

  template <class Context>
  void measure(Context &context, record &r) {
    if (r.mark.node_iterations == 0) return;
    snapshot now;
    auto const &rows = context.rows();
    if constexpr (spread_over_ranks<std::remove_cvref_t<decltype(rows)>>)
      for (node i = 0; i < rows.size().nodes; ++i)
        now.rows.emplace_back(rows.parameters(i), rows.parameters(i) + rows.size().parameters);
    else
      each_row(rows, [&](std::size_t, auto row) { now.rows.emplace_back(row.begin(), row.end()); });
    if (rows.size().shared) now.rows.resize(rows.size().nodes, now.rows.front());
    seen->push_back(std::move(now));
  }
  void take(record const &r) {
    if (r.mark.node_iterations > 0) seen->back().at = r;
  }
};

// quote states
/// Keeps the state of a run at the end of every window; the vector outlives the run.
struct keep_states {
  std::vector<named_state> *states;  // null: none

  void window_ended(window_end const &now) const {
    if (states) states->push_back(now.state());
  }
};
// end quote

/// The first numbers of two rows of every node, by their slots, as they are at the end.
struct row_pairs_at_end {
  std::vector<std::pair<double, double>> *seen;
  std::size_t first, second;

  template <class Context>
  void measure(Context &context, record &) {
    auto const &rows = context.rows();
    seen->clear();
    for (node i = 0; i < rows.size().nodes; ++i) {
      auto const own = rows.whole(used_slots{fleet_size::every_slot}, i);
      seen->push_back({own.row(first, i)[0], own.row(second, i)[0]});
    }
  }
  void take(record const &) {}
};

/// Data: nothing, or a split.
template <class Simulator, class... Data>
  requires(!std::same_as<std::remove_const_t<Simulator>, small_network>)
watched_run watched(Simulator &network, run_settings const &settings, looks how,
                    Data const &...data) {
  watched_run result;
  auto run = network.start(settings, data..., every(epochs{how.period}, watch{&result.seen}),
                           keep_states{how.keeps_states ? &result.states : nullptr});
  while (how.piece > 0 ? run.advance(epochs{how.piece}) : run.advance()) {
  }
  result.report = run.report();
  return result;
}

/// A classifier of 4 x 4 images, 16-7-5.
using tiny_classifier = sequential<input<1, 4, 4>, dense<7>, relu, dense<5>>;

/// The same with all that looks at a batch as a whole, keeps statistics or draws as it trains.
using normalised_classifier =
    sequential<input<1, 4, 4>, conv2d<3, 2>, batch_norm, relu,
               residual<branch<conv2d<3, 1>, batch_norm>>, relu, dropout<20>, dense<5>>;

inline dataset const &tiny_images() {
  static dataset const images =
      synthetic{.samples = 170, .shape = {1, 4, 4}, .classes = 5, .noise = 0.5}.build();
  return images;
}

inline run_settings const six_rounds{.seed = 3, .batch = 5, .stop = rounds{6}};
/// Three windows.
inline run_settings const ten_rounds{.seed = 3, .batch = 5, .stop = rounds{10}};

}  // namespace gossip::test
