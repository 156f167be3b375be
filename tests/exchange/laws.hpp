// The laws that every exchange keeps, and small networks in double for tests of exchanges. What
// they run is compiled once, in conformance.cpp and networks.cpp. A new exchange joins with a test
// of one line, check_exchange(x, law), and with check_kind(x) where its kind of state is new.
#pragma once

#include <gossip/clock/clock.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/random.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/choice.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/topology/topology.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
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

/// Periods of observations, which cut levels and cohorts: at every chance, or at the end only.
constexpr double always = 1e-9, at_the_end = 1e9;

/// A network of any policies, in double, on one thread.
class small_network {
 public:
  template <class Optimizer, class Compute = lognormal_time>
  small_network(some_topology const &topology, basic_any_model<double> const &model,
                Optimizer const &optimizer, some_exchange const &exchange,
                virtual_clock<Compute> const &clock = {})
      : small_network(parts{topology, model, {optimizer}, exchange, any_clock(clock)}) {}

  run_report run(run_settings const &settings) const;
  watched_run watched(run_settings const &settings, looks how) const;
  /// The first numbers of two rows of every node, by their slots, at the end of a run.
  std::vector<std::pair<double, double>> row_pairs(run_settings const &settings, std::size_t first,
                                                   std::size_t second) const;

 private:
  struct parts {
    some_topology topology;
    basic_any_model<double> model;
    some_optimizer optimizer;
    some_exchange exchange;
    virtual_clock<any_compute_time> clock;
  };
  struct held;

  explicit small_network(parts const &all);

  std::shared_ptr<held const> held_;
};

inline watched_run watched(small_network const &network, run_settings const &settings, looks how) {
  return network.watched(settings, how);
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
