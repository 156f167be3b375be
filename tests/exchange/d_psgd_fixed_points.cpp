// D-PSGD on quadratics: contraction, fixed points and stationary noise in closed form.
#include <gossip/exchange/d_psgd.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/mixing/base_graph_weights.hpp>
#include <gossip/mixing/equi_weights.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/base_graph.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/equi_dynamic.hpp>
#include <gossip/topology/equi_static.hpp>
#include <gossip/topology/group_grid.hpp>
#include <gossip/topology/one_peer_exponential.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/ring_lattice.hpp>
#include <gossip/topology/shrinking_lattice.hpp>
#include <gossip/topology/star.hpp>

#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::mixing_order;
using gossip::ring;

namespace {

gossip::d_psgd<> const combine_first{.order = mixing_order::combine_then_adapt};
gossip::d_psgd<> const adapt_first{.order = mixing_order::adapt_then_combine};
gossip::d_psgd<> const train_mixed{.point = gossip::gradient_point::mixed};

}  // namespace

TEST_CASE("without gradients the distance to consensus shrinks as the spectrum says",
          "[exchange]") {
  for (auto const &exchange : {combine_first, adapt_first, train_mixed})
    for (std::size_t const n : {3, 8, 17}) {
      auto const w = gossip::metropolis_hastings{}.weights(ring{n}.build());
      auto const all = gossip::eigenvalues(w);
      double const rho = std::max(-all.front(), all[n - 2]);
      small_network network{ring{n}, scattered<3>{}, gossip::sgd{.rate = 1.0}, exchange};
      auto const seen = watched(network, {.stop = gossip::rounds{100}}, 1.0).seen;
      double last = 0;
      for (std::size_t k = 1; k < seen.size() && seen[k].distance() > 1e-24; ++k) {
        last = seen[k].distance() / seen[k - 1].distance();
        CHECK(last <= rho * rho + 1e-6);
      }
      // By then the slowest eigenvectors are all that is left.
      if (n > 3) CHECK(last == Approx(rho * rho).epsilon(1e-3));
      if (n == 8) CHECK(rho == Approx(1 - 0.195262).margin(1e-6));
    }
}

TEST_CASE("one round of mixing acts on each eigenvector by its eigenvalue", "[exchange]") {
  // On a ring those are waves: lambda_k = (1 + 2 cos(2 pi k / n)) / 3.
  constexpr std::size_t n = 8;
  small_network network{ring{n}, scattered<3>{}, gossip::sgd{.rate = 1.0}, combine_first};
  auto const seen = watched(network, {.stop = gossip::rounds{6}}, 1.0).seen;
  constexpr double pi = 3.14159265358979323846;
  for (int k = 0; k <= 4; ++k) {
    auto const wave = [&](std::size_t round) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += seen[round].rows[i][0] * std::cos(2 * pi * k * static_cast<double>(i) / n);
      return sum;
    };
    double const lambda = (1 + 2 * std::cos(2 * pi * k / n)) / 3;
    for (std::size_t round = 1; round < seen.size(); ++round)
      CHECK(wave(round) == Approx(wave(0) * std::pow(lambda, round)).margin(1e-14));
  }
}

TEST_CASE("the mean moves by the rate times the mean gradient", "[exchange]") {
  auto const model = alternating_valleys();
  for (auto const &exchange : {combine_first, adapt_first}) {
    small_network network{ring{8}, model, gossip::sgd{.rate = 0.1}, exchange};
    auto const seen = watched(network, {.stop = gossip::rounds{30}}, 1.0).seen;
    for (std::size_t k = 1; k < seen.size(); ++k) {
      double gradient = 0;
      for (std::size_t i = 0; i < 8; ++i)
        gradient += model.curvature[i] * (seen[k - 1].rows[i][0] - model.optimum[i]) / 8;
      CHECK(seen[k].mean(0) == Approx(seen[k - 1].mean(0) - 0.1 * gradient).margin(1e-14));
    }
  }
}

TEST_CASE("the fixed points of both orders on unlike quadratics", "[exchange]") {
  // x = (I - W (I - rate A))^-1 rate W A b and x = (I - W + rate A)^-1 rate A b on a ring of 8.
  auto const adapted = settled(ring{8}, adapt_first, 2000);
  CHECK(adapted.mean(0) == Approx(-0.841072).margin(1e-6));
  CHECK(adapted.distance() == Approx(0.3981).margin(1e-4));
  auto const combined = settled(ring{8}, combine_first, 2000);
  CHECK(combined.mean(0) == Approx(-0.776766).margin(1e-6));
  CHECK(combined.distance() == Approx(0.9729).margin(1e-4));
}

// x = (I - (I - rate A) W)^-1 rate A b, whose mixture is where adapting first ends.
TEST_CASE("with gradients of mixed models D-PSGD is that which adapts first, seen before it mixes",
          "[exchange]") {
  auto const seen = [](auto const &exchange, std::uint64_t rounds) {
    small_network network{ring{8}, alternating_valleys(), gossip::sgd{.rate = 0.1, .momentum = 0.5},
                          exchange};
    return watched(network, {.stop = gossip::rounds{rounds}}, 1.0).seen;
  };
  auto const mixed = seen(train_mixed, 30), adapted = seen(adapt_first, 30);
  for (std::size_t k = 0; k < adapted.size(); ++k)
    for (std::size_t i = 0; i < 8; ++i) {
      auto const &x = mixed[k].rows;
      double const mixture = (x[(i + 7) % 8][0] + x[i][0] + x[(i + 1) % 8][0]) / 3;
      CHECK(adapted[k].rows[i][0] == Approx(mixture).margin(1e-13));
    }
  auto const end = settled(ring{8}, train_mixed, 2000);
  CHECK(end.mean(0) == Approx(-0.841072).margin(1e-6));
  CHECK(end.distance() == Approx(1.482335).margin(1e-6));
}

TEST_CASE("there is no bias where all nodes have one optimum", "[exchange]") {
  gossip::quadratic<1> const model{.curvature = {1, 2, 3}, .optimum = {0.5}, .start = 7};
  for (auto const &exchange : {combine_first, adapt_first, train_mixed}) {
    auto const end = settled(ring{8}, exchange, 1000, model);
    for (auto const &row : end.rows) CHECK(row[0] == Approx(0.5).epsilon(1e-12));
  }
}

TEST_CASE("adapt-then-combine on a complete graph is all-reduce", "[exchange]") {
  auto const end = settled(gossip::complete{8}, adapt_first, 57);
  auto const central = settled(gossip::complete{8}, gossip::all_reduce{}, 57);
  for (auto const &row : end.rows) CHECK(row[0] == Approx(central.mean(0)).epsilon(1e-12));
}

TEST_CASE("stationary noise of the mean and of the distance, both orders", "[exchange]") {
  constexpr double rate = 0.2, n = 8;
  auto lambda = gossip::eigenvalues(gossip::metropolis_hastings{}.weights(ring{8}.build()));
  lambda.pop_back();  // the mean
  double adapted = 0, combined = 0;
  for (double const l : lambda) {
    adapted += rate * rate * l * l / (1 - l * l * (1 - rate) * (1 - rate)) / n;
    combined += rate * rate / (1 - (l - rate) * (l - rate)) / n;
  }
  CHECK(adapted == Approx(0.01305).margin(1e-5));
  CHECK(combined == Approx(0.04422).margin(1e-5));
  auto const after = stationary(ring{8}, adapt_first, rate);
  auto const before = stationary(ring{8}, combine_first, rate);
  CHECK(after.distance == Approx(adapted).epsilon(0.05));
  CHECK(before.distance == Approx(combined).epsilon(0.05));
  for (auto const &state : {after, before})
    CHECK(state.mean_square == Approx(rate / (n * (2 - rate))).epsilon(0.05));
}

TEST_CASE("D-PSGD refuses directed graphs and weights that lose the mean", "[exchange]") {
  auto const one_way = gossip::graph::directed(3, {{0, 1}, {1, 2}, {2, 0}});
  CHECK_THROWS_WITH(combine_first.check(one_way),
                    "metropolis_hastings: expected an undirected graph, got a directed graph");
  gossip::d_psgd<some_weights> const one_way_mean{.rule = gossip::uniform_neighbor{}};
  CHECK_NOTHROW(one_way_mean.check(one_way));
  gossip::d_psgd<some_weights> const uneven{.rule = gossip::uniform_neighbor{}};
  CHECK_THROWS_WITH(uneven.check(gossip::star{4}.build()),
                    contains("d_psgd: expected doubly stochastic weights"));
  CHECK_NOTHROW(uneven.check(ring{4}.build()));
}

TEST_CASE("D-PSGD on a topology that changes is that with the matrices of its rounds",
          "[exchange]") {
  using namespace gossip;
  auto const turns = settled(exponential{8}, d_psgd<some_weights>{.rule = one_peer{}}, 5);
  auto const changes =
      settled(one_peer_exponential{8}, d_psgd<some_weights>{.rule = uniform_neighbor{}}, 5);
  CHECK(turns.rows == changes.rows);
  auto const fixed = settled(exponential{8}, d_psgd<some_weights>{.rule = uniform_neighbor{}}, 5);
  CHECK_FALSE(fixed.rows == changes.rows);

  // x <- W_k (x - 0.1 g(x)) by a plain loop, on a lattice that is a ring from round 2 on.
  shrinking_lattice const shrinks{.nodes = 8, .degree = 6, .by = 4, .every = 2};
  d_psgd<> const exchange{.order = mixing_order::adapt_then_combine};
  auto const valleys = alternating_valleys();
  std::vector<double> x(8, 0.0), h(8);
  for (std::size_t k = 0; k < 5; ++k) {
    auto const w = metropolis_hastings{}.weights(
        gossip::ring_lattice{8, k < 2 ? std::size_t{6} : std::size_t{2}}.build());
    for (node i = 0; i < 8; ++i)
      h[i] = x[i] - 0.1 * valleys.curvature[i] * (x[i] - valleys.optimum[i]);
    detail::multiply(w, h, x);
  }
  auto const seen = settled(shrinks, exchange, 5);
  for (node i = 0; i < 8; ++i) CHECK(seen.rows[i][0] == Approx(x[i]).epsilon(1e-12));
}

namespace {

/// Rounds that train alone and look at the network.
struct looks_at_rounds {
  std::vector<std::size_t> *degrees;  // of node 0, by rounds

  void on_round(auto &plan, gossip::round_number k) const {
    plan.train_all();
    plan.step_all();
    degrees->resize(std::max<std::size_t>(degrees->size(), k + 1));
    (*degrees)[k] = plan.topology(k).degree(0);
  }
};

}  // namespace

TEST_CASE("an exchange sees the network of a round", "[exchange]") {
  std::vector<std::size_t> degrees;
  gossip::shrinking_lattice const shrinks{.nodes = 8, .degree = 6, .by = 4, .every = 2};
  settled(shrinks, looks_at_rounds{&degrees}, 4);
  CHECK(degrees == std::vector<std::size_t>{6, 6, 2, 2});
  settled(ring{8}, looks_at_rounds{&degrees}, 4);
  CHECK(degrees == std::vector<std::size_t>{2, 2, 2, 2});
}

TEST_CASE("D-PSGD on a Base-(k+1) graph has the mean of 11 nodes after a period", "[exchange]") {
  using namespace gossip;
  base_graph const topology{.nodes = 11, .peers = 2};
  std::vector<double> const start{3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5};  // sum 22
  d_psgd<some_weights> const exchange{.order = mixing_order::adapt_then_combine,
                                      .rule = base_graph_weights{2}};
  auto const period = topology.build().rounds()->period();
  for (double const x :
       mixed_numbers(some_topology(topology), some_exchange(exchange), start, period))
    CHECK(x == Approx(2).epsilon(1e-12));
}

TEST_CASE("D-PSGD on EquiTopo's networks is X <- W X with their weights", "[exchange]") {
  using namespace gossip;
  std::vector<double> const start{3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5};
  d_psgd<some_weights> const exchange{.order = mixing_order::adapt_then_combine,
                                      .rule = equi_weights{0.6}};
  auto const check = [&](auto const &topology) {
    auto const w = equi_weights{0.6}.weights(topology.build(run_settings{}.seed));
    std::vector<double> x = start, y(11);
    for (std::size_t k = 0; k < 7; ++k) {
      detail::multiply(w[k], x, y);
      x.swap(y);
    }
    auto const mixed = mixed_numbers(some_topology(topology), some_exchange(exchange), start, 7);
    for (std::size_t i = 0; i < 11; ++i) CHECK(mixed[i] == Approx(x[i]).epsilon(1e-12));
  };
  for (bool const directed : {true, false}) {
    check(equi_static{.nodes = 11, .offsets = 3, .directed = directed});
    check(equi_dynamic{.nodes = 11, .rounds = 5, .directed = directed});
  }
}

TEST_CASE("D-PSGD on a grid of groups has the mean of 27 nodes after a round a dimension",
          "[exchange]") {
  using namespace gossip;
  group_grid const topology{.nodes = 27, .side = 3, .passes = 2};
  std::vector<double> start(27);
  for (std::size_t i = 0; i < 27; ++i) start[i] = static_cast<double>(i * i);  // sum 6,201
  d_psgd<> const exchange{.order = mixing_order::adapt_then_combine};
  for (double const x : mixed_numbers(some_topology(topology), some_exchange(exchange), start, 3))
    CHECK(x == Approx(6201.0 / 27).epsilon(1e-12));
}
