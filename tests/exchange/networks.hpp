// Small networks of quadratics in double precision, and what they settle to.
#pragma once

#include <gossip/clock/constant_time.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>

#include <utility>
#include <vector>

#include "conformance.hpp"

namespace gossip::test {

/// 0 - 1 - 2 - ...
struct path {
  std::size_t nodes;

  graph build(std::uint64_t) const {
    std::vector<edge> edges;
    for (std::size_t i = 1; i < nodes; ++i)
      edges.push_back({static_cast<node>(i - 1), static_cast<node>(i)});
    return graph::undirected(nodes, edges);
  }
};

/// A directed ring with two chords, whose out-degrees are 1 and 2.
struct ring_with_chords {
  std::size_t nodes = 7;

  graph build(std::uint64_t) const {
    return graph::directed(
        nodes, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}, {0, 3}, {2, 5}});
  }
};

/// f_i(x) = (1 + i/4) (x - (-1)^i (i + 1))^2 / 2, i = 0..7; the optimum of their sum is -0.8.
inline quadratic<1> alternating_valleys() {
  quadratic<1> model{.curvature = {}, .optimum = {}};
  for (int i = 0; i < 8; ++i) {
    model.curvature.push_back(1.0 + i / 4.0);
    model.optimum.push_back((i % 2 == 0 ? 1.0 : -1.0) * (i + 1));
  }
  return model;
}

/// (1/n) sum_i (x_i - target)^2 of a network of one column.
inline double mean_square_from(double target, snapshot const &found) {
  double const away = found.mean(0) - target;
  return found.distance() + away * away;
}

/// (W + I) / 2 of the usual weights.
struct half_metropolis {
  mixing_matrix weights(graph const &g) const { return lazy(metropolis_hastings{}.weights(g)); }
};

/// A network on this clock, by plain SGD at a rate.
template <class Model, class Compute>
small_network<Model, numbers<double>, cpu, virtual_clock<Compute>> on_clock(
    virtual_clock<Compute> const &clock, some_topology const &topology, Model const &model,
    double rate, some_exchange const &exchange) {
  return {topology,          model, sgd{.rate = rate}, exchange, numbers<double>{},
          cpu{.threads = 1}, clock};
}

/// The first numbers of all nodes after so many rounds with messages that are lost for good, by
/// this probability: starts are scattered(5), and nobody learns.
inline std::vector<double> scattered_with_loss(double lost, some_topology const &topology,
                                               some_exchange const &exchange, std::uint64_t count) {
  virtual_clock<constant_time> const clock{.loss = {.share = lost, .then = after_loss::go_on}};
  auto network = on_clock(clock, topology, scattered<1>{}, 1.0, exchange);
  auto const seen = watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end).seen;
  std::vector<double> x;
  for (auto const &row : seen.back().rows) x.push_back(row[0]);
  return x;
}

/// The starts of n such nodes.
inline std::vector<double> scattered_starts(std::size_t n) {
  std::vector<double> x;
  for (node i = 0; i < n; ++i) x.push_back(scattered<1>::point(5, i, 0));
  return x;
}

/// The alternating valleys after so many rounds by this optimizer.
inline snapshot settled_by(sgd const &optimizer, some_topology const &topology,
                           some_exchange const &exchange, std::uint64_t count) {
  small_network network{topology, alternating_valleys(), optimizer,
                        exchange, numbers<double>{},     cpu{.threads = 1}};
  return watched(network, {.stop = rounds{count}}, at_the_end).seen.back();
}

/// The state of a network after so many rounds at rate 0.1.
inline snapshot settled(some_topology const &topology, some_exchange const &exchange,
                        std::uint64_t count, quadratic<1> const &model = alternating_valleys()) {
  small_network network{topology,         model, sgd{.rate = 0.1}, exchange, numbers<double>{},
                        cpu{.threads = 1}};
  return watched(network, {.stop = rounds{count}}, at_the_end).seen.back();
}

/// The first numbers of two rows of every node, by their slots, as they are at the end.
struct row_pairs {
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

/// Numbers after so many rounds in which nodes start at their own and nobody learns.
template <class Topology, class Exchange>
std::vector<double> mixed_numbers(Topology const &topology, Exchange const &exchange,
                                  std::vector<double> const &start, std::uint64_t count) {
  small_network network{topology,
                        quadratic<1>{.curvature = {1.0}, .optimum = start},
                        scheduled{sgd{.rate = 1.0}, step_decay{.at = {1}, .gamma = 0}},
                        exchange,
                        numbers<double>{},
                        cpu{.threads = 1}};
  auto const seen = watched(network, {.stop = rounds{count}}, at_the_end).seen;
  std::vector<double> x;
  for (auto const &row : seen.back().rows) x.push_back(row[0]);
  return x;
}

/// Mean squares over the rounds from 100 on, in a network where every gradient is x plus standard
/// normal noise: of the mean model, and of the distance to it.
struct stationary_state {
  double mean_square = 0, distance = 0;
};

inline stationary_state stationary(some_topology const &topology, some_exchange const &exchange,
                                   double rate) {
  constexpr std::size_t d = 250;  // as many networks at once
  small_network network{topology, quadratic<d>{.noise = 1.0}, sgd{.rate = rate},
                        exchange, numbers<double>{},          cpu{.threads = 1}};
  auto const run = watched(network, {.stop = rounds{1000}}, 10.0);  // an epoch is a round
  stationary_state found;
  double observations = 0;
  for (snapshot const &now : run.seen) {
    if (now.at.mark.round < 100) continue;
    for (std::size_t c = 0; c < d; ++c) found.mean_square += now.mean(c) * now.mean(c) / d;
    found.distance += now.distance() / d;
    ++observations;
  }
  return {found.mean_square / observations, found.distance / observations};
}

}  // namespace gossip::test
