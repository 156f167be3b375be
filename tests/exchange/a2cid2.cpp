// A2CiD2: the laws, two nodes by hand, what is kept, and agreement sooner than AD-PSGD.
#include <gossip/exchange/a2cid2.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::accelerating {

namespace {

/// Trainings of 10 ms, and links that nobody waits for.
virtual_clock<constant_time> without_waiting() {
  return {.network = {.latency = virtual_time(0),
                      .bandwidth = std::numeric_limits<double>::infinity()}};
}

template <class Topology, class Model>
std::vector<std::pair<double, double>> after(Topology const &topology, Model const &model,
                                             double rate, std::uint64_t count) {
  small_network const network{topology, model, sgd{.rate = rate}, a2cid2{}, without_waiting()};
  return network.row_pairs({.seed = 5, .stop = rounds{count}}, 0, 2);
}

}  // namespace

// Sums of x + y are kept, those of x only where all have been mixed at the same time.
TEST_CASE("A2CiD2 keeps the laws of exchanges", "[exchange]") {
  check_exchange(a2cid2{}, {.keeps_mean = false});
}

TEST_CASE("A2CiD2 has the rates of its paper on a ring", "[exchange]") {
  auto const found = a2cid2::prepare(ring{8}.build());  // two averages a unit
  CHECK(found.eta == Approx(2 * 0.289281).margin(1e-6));
  CHECK(found.alpha == Approx(0.987669).margin(1e-6));
}

// The edge has the rate 2: lambda_2 = 4 and a resistance of 1/2, so eta = 2 and
// alpha = 1/2. f_i(x) = (x - b_i)^2 / 2 at rate 1/2; gradients are those of the start of trainings.
TEST_CASE("A2CiD2 on two nodes is that of a plain loop", "[exchange]") {
  std::array<double, 2> const b{1.0, -3.0};
  std::array<double, 2> x{}, y{}, mixed{}, gradient{-b[0], -b[1]};
  auto const mix = [&](std::size_t i, double now) {
    double const apart = std::exp(-4 * (now - mixed[i])), mean = (x[i] + y[i]) / 2;
    x[i] = mean + (x[i] - mean) * apart;
    y[i] = mean + (y[i] - mean) * apart;
    mixed[i] = now;
  };
  for (std::uint64_t round = 1; round <= 6; ++round) {
    for (std::size_t const i : {0, 1}) {
      mix(0, static_cast<double>(round)), mix(1, static_cast<double>(round));
      double const d = x[1] - x[0];
      x[0] += d / 2, x[1] -= d / 2, y[0] += d / 2, y[1] -= d / 2;
      x[i] -= gradient[i] / 2, y[i] -= gradient[i] / 2;
      gradient[i] = x[i] - b[i];
    }
    auto const found = after(complete{2}, quadratic<1>{.optimum = {b[0], b[1]}}, 0.5, round);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(found[i].first == Approx(x[i]).margin(1e-14));
      CHECK(found[i].second == Approx(y[i]).margin(1e-14));
    }
  }
}

TEST_CASE("A2CiD2 keeps the sum of both rows of all nodes", "[exchange]") {
  double start = 0, end = 0;
  for (node i = 0; i < 16; ++i) start += 2 * scattered<1>::point(5, i, 0);
  for (auto const &[x, y] : after(ring{16}, scattered<1>{}, 1.0, 40)) end += x + y;
  CHECK(end == Approx(start).margin(1e-12));
}

TEST_CASE("A2CiD2 makes the nodes of a ring agree sooner than AD-PSGD", "[exchange]") {
  auto const distance = [](auto const &exchange) {
    small_network network{ring{32}, scattered<50>{}, sgd{.rate = 1.0}, exchange, without_waiting()};
    return watched(network, {.seed = 5, .stop = rounds{100}}, at_the_end).seen.back().distance();
  };
  CHECK(distance(ad_psgd{}) > 1e-2);
  CHECK(distance(a2cid2{}) < 1e-8);
}

TEST_CASE("A2CiD2 refuses directed graphs and graphs in pieces", "[exchange]") {
  CHECK_THROWS_WITH(a2cid2{}.check(graph::directed(2, {{0, 1}})),
                    "a2cid2: expected an undirected topology, got a directed topology");
  CHECK_THROWS_WITH(a2cid2{}.check(graph::undirected(4, {{0, 1}, {2, 3}})),
                    contains("expected a connected graph, got a graph that is not connected"));
  CHECK_THROWS_WITH(check_on(a2cid2{.unit = virtual_time(0)}, ring{8}.build()),
                    contains("a2cid2: unit: expected a time of at least 1 ns, got 0 ns"));
}

}  // namespace gossip::test::accelerating
