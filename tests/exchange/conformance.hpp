// The laws that every exchange keeps. A new exchange joins with a test of one line,
// check_exchange(x, law), and with check_kind(x) where its kind of state is new; a new optimizer
// joins with a line in optimizers().
#pragma once

#include <gossip/backend/cpu.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/named_record.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/choice.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/topology.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "../catch.hpp"
#include "../optimizer/signum.hpp"
#include "row_exchanges.hpp"
#include "scalar_exchanges.hpp"
#include "whole_row_exchanges.hpp"

namespace gossip::test {

/// A hub with n - 1 others that are a chain: degrees 1 to n - 1, rows of unequal weights.
struct fan {
  std::size_t nodes = 1;

  graph build(std::uint64_t) const {
    std::vector<edge> edges;
    for (std::size_t i = 1; i < nodes; ++i) {
      edges.push_back({0, static_cast<node>(i)});
      if (i > 1) edges.push_back({static_cast<node>(i - 1), static_cast<node>(i)});
    }
    return graph::undirected(nodes, edges);
  }
};

/// Any optimizer in one type, so that the suite is compiled once for all of them.
using some_optimizer =
    any_optimizer<sgd, adam, adamw, signum, scheduled<sgd, warm_up<cosine_decay>>,
                  scheduled<sgd, step_decay>>;

/// Any exchange in one type, for the same reason: an exchange adds its planner. Functions of one's
/// own are listed here for devices.
using some_exchange = basic_any_exchange<
    function_list<cross, midrange, mixed_moment, furthest_above, bounded_share, ranked_below>>;

/// Any topology likewise.
struct some_topology {
  std::size_t nodes;
  std::function<graph(std::uint64_t)> made;

  template <class Topology>
    requires(!std::same_as<Topology, some_topology> && topology<Topology>)
  some_topology(Topology const &one)
      : nodes(one.nodes), made([one](std::uint64_t seed) { return one.build(seed); }) {}

  graph build(std::uint64_t seed) const { return made(seed); }
};

/// Any rule of weights likewise: exchanges with different rules have one planner.
struct some_weights {
  std::function<by_round<mixing_matrix>(graph const &)> made;

  some_weights() : some_weights(metropolis_hastings{}) {}
  template <class Rule>
    requires(!std::same_as<Rule, some_weights> && weight_rule<Rule>)
  some_weights(Rule const &rule)
      : made([rule](graph const &g) { return weights_by_round(rule, g); }) {}

  by_round<mixing_matrix> weights(graph const &g) const { return made(g); }
};

/// A simulator whose topology, optimizer and exchange are types that hold any, so that it is
/// compiled once for a model and its options, however many tests have one.
template <class Model, class... Options>
struct small_network
    : simulator<some_topology, Model, some_optimizer, some_exchange, with_reference, Options...> {
  template <class Optimizer>
  small_network(some_topology const &topology, Model const &model, Optimizer const &optimizer,
                some_exchange const &exchange, Options const &...options)
      : simulator<some_topology, Model, some_optimizer, some_exchange, with_reference, Options...>(
            topology, model, {optimizer}, exchange, with_reference{}, options...) {}
};
template <class Topology, class Model, class Optimizer, class Exchange, class... Options>
small_network(Topology const &, Model const &, Optimizer const &, Exchange const &,
              Options const &...) -> small_network<Model, Options...>;

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

/// Node i's first gradient is minus a random point of its own, all later ones are `drift`: plain
/// SGD at rate 1 starts the nodes apart and then moves them by nothing else but the exchange.
template <std::size_t Parameters>
struct scattered {
  double drift = 0.0;

  static constexpr std::size_t parameters = Parameters;
  static constexpr bool learns_from_samples = false;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    for (T &x : row) x = T{0};
  }
  static double point(std::uint64_t seed, node i, std::size_t column) {
    return keyed_random(seed, purpose::user, i, column).normal();
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &, training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      for (std::size_t c = 0; c < Parameters; ++c)
        task.gradient.at(j)[c] =
            static_cast<T>(task.steps[j] > 0 ? drift : -point(task.seed, task.nodes[j], c));
      *task.loss.at(j) = 1.0;
    }
  }
};

/// The network at one observation.
struct snapshot {
  record at;
  std::vector<std::vector<double>> rows;  // (n,d)

  double mean(std::size_t column) const {
    double sum = 0;
    for (auto const &row : rows) sum += row[column];
    return sum / static_cast<double>(rows.size());
  }
  /// (1/n) sum_i |x_i - mean|^2.
  double distance() const {
    double sum = 0;
    for (std::size_t c = 0; c < rows.front().size(); ++c) {
      double const centre = mean(c);
      for (auto const &row : rows) sum += (row[c] - centre) * (row[c] - centre);
    }
    return sum / static_cast<double>(rows.size());
  }
};

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

/// A report, what was seen every so many node-iterations, states if they were asked for.
struct watched_run {
  run_report report;
  std::vector<snapshot> seen;
  std::vector<named_state> states;
};

/// The period of observations, in epochs, and whether states are kept; the length of the pieces, in
/// epochs, in which a run is advanced, 0: at once.
struct looks {
  double period;
  bool keeps_states = false;
  double piece = 0;

  looks(double epochs, bool keeps = false, double length = 0)
      : period(epochs), keeps_states(keeps), piece(length) {}
};

/// Data: nothing, or a split.
template <class Simulator, class... Data>
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

/// Of runs of any engines, but for times of the wall clock.
inline void check_same(named_state const &a, named_state const &b) {
  std::vector<std::string> differ;
  for (auto const &[name, part] : a.parts()) {
    auto const other = b.parts().find(name);
    bool const same = other != b.parts().end() && other->second == part;
    if (!same && name.find("wall seconds") == std::string::npos) differ.push_back(name);
  }
  CHECK(differ == std::vector<std::string>{});
  CHECK(a.parts().size() == b.parts().size());
}

inline void check_same(watched_run const &a, watched_run const &b) {
  CHECK(hex(a.report.digest) == hex(b.report.digest));
  CHECK(a.seen.size() == b.seen.size());
  for (std::size_t k = 0; k < std::min(a.seen.size(), b.seen.size()); ++k)
    CHECK(a.seen[k].at.loss == b.seen[k].at.loss);
  CHECK(a.report.node_iterations == b.report.node_iterations);
  CHECK(a.report.bytes_sent == b.report.bytes_sent);
  CHECK(a.report.virtual_seconds == b.report.virtual_seconds);
  CHECK(a.report.answers == b.report.answers);
  REQUIRE(a.report.skipped.has_value() == b.report.skipped.has_value());
  if (a.report.skipped) CHECK(a.report.skipped->steps == b.report.skipped->steps);
  CHECK(a.seen.back().rows == b.seen.back().rows);
}

/// Periods of observations, which cut levels and cohorts: at every chance, or at the end only.
constexpr double always = 1e-9, at_the_end = 1e9;

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

/// The effect of an exchange on models that nobody trains.
struct mixing_law {
  bool keeps_mean = true;    ///< law 4: with equal weight on all nodes
  bool one_model = false;    ///< all nodes hold the mean of their steps
  bool reaches_mean = true;  ///< law 5: the distance between nodes vanishes on a connected graph
  double slack = 1e-12;
  double momentum = 0.0;           ///< of the optimizer that moves them
  std::size_t optimizer_rows = 0;  ///< that an optimizer must have for this exchange
};

inline run_settings const six_rounds{.seed = 3, .batch = 5, .stop = rounds{6}};
/// Three windows.
inline run_settings const ten_rounds{.seed = 3, .batch = 5, .stop = rounds{10}};

/// Messages that are lost, nodes that take part in rounds, and nodes that are down, of a run;
/// whether its states are kept, from which other runs go on.
struct conditions {
  message_loss loss{};
  gossip::participation participation{};
  gossip::outages outages{};
  bool keeps_states = false;
};

/// Messages that are lost by themselves and in bursts.
constexpr message_loss bursts(after_loss then) {
  return {.share = 0.2,
          .burst_begins = 0.1,
          .burst_ends = 0.5,
          .then = then,
          .timeout = virtual_time(3'000'000)};
}
/// Nodes that are absent from rounds, for two rounds on average.
inline constexpr participation spells{
    .scheme = participation_scheme::markov, .share = 0.6, .absence = 2};
/// Nodes that are down for 10 ms of 90 ms on average.
inline outages down(after_outage then) {
  return {.churn = {.up = virtual_time(80'000'000), .down = virtual_time(10'000'000)},
          .then = then,
          .timeout = virtual_time(4'000'000)};
}

/// Checks the laws of bits, mixing and changing networks, with two optimizers that the name and the
/// members of the exchange choose; d_psgd, ad_psgd, all_reduce and gradient_tracking with all
/// optimizers.
void check_exchange(some_exchange const &exchange, mixing_law law = {});

/// Checks the laws of bits for what an exchange shares with all others that have the same kind of
/// state: states of runs, normalised models in chunks of a batch, and precisions. One exchange of
/// each kind: rows, averages, messages, edges, servers, scalars, timers, fragments, sums; states
/// with decisions are in simulator/states.cpp.
void check_kind(some_exchange const &exchange, conditions in = {});

/// Checks the laws of bits and of mixing where messages are lost, in bursts and by themselves.
void check_with_loss(some_exchange const &exchange, mixing_law law = {},
                     after_loss then = after_loss::go_on);

/// Checks the same laws where nodes are absent from rounds, for spells of rounds.
void check_with_absence(some_exchange const &exchange, mixing_law law = {});

/// Checks the same laws where nodes are down for some time, and others go on without them.
void check_with_outages(some_exchange const &exchange, mixing_law law = {});

}  // namespace gossip::test
