// Local SGD: the laws, its fixed points, momentum where models are averaged.
#include <gossip/exchange/local_sgd.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::local_sgd;
using gossip::momentum_at_average;
using gossip::ring;

TEST_CASE("local SGD keeps the laws of exchanges", "[exchange]") {
  check_exchange(local_sgd{.local_steps = 1}, {.one_model = true});
  check_exchange(local_sgd{.local_steps = 2, .momentum = momentum_at_average::reset});
  check_kind(local_sgd{.local_steps = 2, .momentum = momentum_at_average::reset});
}

// Node 1 has hardly a gradient, so a second moment near 0 of its own.
TEST_CASE("local SGD averages both moments of Adam", "[exchange]") {
  gossip::adam const optimizer{.rate = 0.1};
  double m = 0, v = 0, x = 0;
  for (int t = 1; t <= 3; ++t) {
    double mean_x = 0, mean_m = 0, mean_v = 0;
    for (double const gradient : {x - 3, 1e-12 * x}) {
      double const own_m = 0.9 * m + 0.1 * gradient,
                   own_v = 0.999 * v + 0.001 * gradient * gradient;
      double const divisor = std::sqrt(own_v) / std::sqrt(1 - std::pow(0.999, t)) + 1e-8;
      mean_x += 0.5 * (x - 0.1 / (1 - std::pow(0.9, t)) * own_m / divisor);
      mean_m += 0.5 * own_m;
      mean_v += 0.5 * own_v;
    }
    x = mean_x, m = mean_m, v = mean_v;
  }
  small_network network{gossip::complete{2},
                        gossip::quadratic<1>{.curvature = {1.0, 1e-12}, .optimum = {3, 0}},
                        optimizer, local_sgd{1, momentum_at_average::average}};
  auto const rows = watched(network, {.stop = gossip::rounds{3}}, at_the_end).seen.back().rows;
  CHECK(rows[0][0] == Approx(x).epsilon(1e-12));
  CHECK(rows[1][0] == Approx(x).epsilon(1e-12));
}

TEST_CASE("local SGD that averages momentum keeps the laws of exchanges", "[exchange]") {
  check_exchange(local_sgd{.local_steps = 2, .momentum = momentum_at_average::average},
                 {.keeps_mean = false, .momentum = 0.5, .optimizer_rows = 1});
}

// With full gradients sum_k (1 - (1 - rate a_k)^H) (x - b_k) = 0, as federated averaging of all.
TEST_CASE("local SGD settles where its local steps cancel", "[exchange]") {
  auto const five = settled(ring{8}, local_sgd{.local_steps = 5}, 2000);
  auto const valleys = alternating_valleys();
  double above = 0, below = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    double const weight = 1 - std::pow(1 - 0.1 * valleys.curvature[k], 5);
    above += weight * valleys.optimum[k];
    below += weight;
  }
  for (auto const &row : five.rows) CHECK(row[0] == Approx(above / below).margin(1e-12));
  CHECK(five.mean(0) == Approx(-0.673851).margin(5e-7));
}

TEST_CASE("local SGD of one step is all-reduce", "[exchange]") {
  auto const one = settled(ring{8}, local_sgd{.local_steps = 1}, 57);
  auto const central = settled(ring{8}, gossip::all_reduce{}, 57);
  for (auto const &row : one.rows) CHECK(row[0] == Approx(central.mean(0)).epsilon(1e-12));
}

TEST_CASE("momentum where models are averaged is kept, averaged or none", "[exchange]") {
  gossip::sgd const heavy{.rate = 0.02, .momentum = 0.8};
  auto const after = [&](gossip::sgd const &optimizer, std::uint64_t steps, auto momentum) {
    return settled_by(optimizer, ring{8}, local_sgd{steps, momentum}, 24).rows;
  };
  using enum momentum_at_average;
  // Averaged after every step it is the momentum of the mean gradient.
  auto const central = settled_by(heavy, ring{8}, gossip::all_reduce{}, 24);
  CHECK(after(heavy, 1, average).front()[0] == Approx(central.mean(0)).epsilon(1e-12));
  CHECK(after(heavy, 1, keep).front()[0] == Approx(central.mean(0)).epsilon(1e-12));
  CHECK(after(heavy, 1, reset) == after({.rate = 0.02}, 1, keep));
  CHECK(after(heavy, 4, reset) != after({.rate = 0.02}, 4, keep));
  CHECK(after(heavy, 4, keep) != after(heavy, 4, average));
  CHECK(after(heavy, 4, keep) != after(heavy, 4, reset));
}

// Four averages of eight nodes, in each of which a node sends 14 eighths of a model.
TEST_CASE("local SGD sends models every few rounds only", "[exchange]") {
  small_network network{ring{8}, gossip::quadratic<6>{}, gossip::sgd{.rate = 0.1},
                        local_sgd{.local_steps = 3}};
  auto const report = network.run({.stop = gossip::rounds{12}});
  CHECK(report.bytes_sent == 4 * 8 * (14 * 6 * sizeof(double) / 8));
}

TEST_CASE("local SGD refuses no steps, and to average a momentum that there is not", "[exchange]") {
  CHECK_THROWS_WITH(
      settled(ring{8}, local_sgd{.local_steps = 0}, 1),
      contains("local_sgd: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, local_sgd{1, momentum_at_average::average}, 2),
                    contains("names row 0 of the optimizer, which keeps 0"));
}
