// Small networks of quadratics in double precision, and what they settle to.
#pragma once

#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "laws.hpp"

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

/// The starts of n such nodes.
inline std::vector<double> scattered_starts(std::size_t n) {
  std::vector<double> x;
  for (node i = 0; i < n; ++i) x.push_back(scattered<1>::point(5, i, 0));
  return x;
}

/// A network on this clock, by plain SGD at a rate.
template <class Compute>
small_network on_clock(virtual_clock<Compute> const &clock, some_topology const &topology,
                       basic_any_model<double> const &model, double rate,
                       some_exchange const &exchange) {
  return {topology, model, sgd{.rate = rate}, exchange, clock};
}

/// The first numbers of all nodes after so many rounds with messages that are lost for good, by
/// this probability: starts are scattered(5), and nobody learns.
std::vector<double> scattered_with_loss(double lost, some_topology const &topology,
                                        some_exchange const &exchange, std::uint64_t count);

/// The alternating valleys after so many rounds by this optimizer.
snapshot settled_by(sgd const &optimizer, some_topology const &topology,
                    some_exchange const &exchange, std::uint64_t count);

/// The state of a network after so many rounds at rate 0.1.
snapshot settled(some_topology const &topology, some_exchange const &exchange, std::uint64_t count,
                 quadratic<1> const &model = alternating_valleys());

/// Numbers after so many rounds in which nodes start at their own and nobody learns.
std::vector<double> mixed_numbers(some_topology const &topology, some_exchange const &exchange,
                                  std::vector<double> const &start, std::uint64_t count);

/// Mean squares over the rounds from 100 on, in a network where every gradient is x plus standard
/// normal noise: of the mean model, and of the distance to it.
struct stationary_state {
  double mean_square = 0, distance = 0;
};

stationary_state stationary(some_topology const &topology, some_exchange const &exchange,
                            double rate);

}  // namespace gossip::test
