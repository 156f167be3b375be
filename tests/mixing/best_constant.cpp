// Best constant weights: closed forms of their spectrum, and that no other constant is faster.
#include <gossip/mixing/best_constant.hpp>

#include <cmath>
#include <numbers>

#include <gossip/mixing/spectrum.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include "../catch.hpp"

using gossip::best_constant;

TEST_CASE("best constant weights have the spectrum of Xiao and Boyd", "[mixing]") {
  // Laplacian of a ring: 2 - 2 cos(2 pi k / n); of a hypercube: 2 k.
  for (std::size_t const n : {5U, 8U, 21U, 600U}) {
    double const step = 2 * std::numbers::pi / static_cast<double>(n);
    double const second = 2 - 2 * std::cos(step),
                 last = 2 - 2 * std::cos(step * static_cast<double>(n / 2));
    auto const w = best_constant{}.weights(gossip::ring{n}.build());
    CHECK(w.at(0, 1) == Approx(2 / (second + last)).epsilon(1e-9));
    CHECK(1 - gossip::spectral_gap(w).rho ==
          Approx(2 * second / (last + second)).epsilon(n > 500 ? 1e-5 : 1e-9));
  }
  auto const cube = best_constant{}.weights(gossip::hypercube{.dimension = 5}.build());
  CHECK(cube.at(0, 1) == Approx(1.0 / 6));
  CHECK(gossip::spectral_gap(best_constant{}.weights(gossip::complete{9}.build())).rho ==
        Approx(0).margin(1e-12));
}

TEST_CASE("no other constant mixes faster than the best", "[mixing]") {
  auto const slower = [](gossip::graph const &g, double factor) {
    auto const w = best_constant{}.weights(g);
    double const a = w.at(0, g.neighbors(0)[0]) * factor;
    auto const other = gossip::mixing_matrix::over(g, [a](std::size_t, std::size_t) { return a; });
    return gossip::spectral_gap(other).rho > gossip::spectral_gap(w).rho;
  };
  auto const regular = gossip::random_regular{.nodes = 30, .degree = 4}.build(2);
  for (double const factor : {0.97, 0.999, 1.001}) CHECK(slower(regular, factor));
  auto const hubs = gossip::erdos_renyi{.nodes = 30, .probability = 0.3}.build(2);
  for (double const factor : {0.97, 0.999}) CHECK(slower(hubs, factor));
}

TEST_CASE("the weight of a hub itself is not below 0", "[mixing]") {
  auto const w = best_constant{}.weights(gossip::star{9}.build());
  CHECK(w.at(0, 1) == Approx(1.0 / 8));
  CHECK(w.at(0, 0) == Approx(0).margin(1e-15));
}

TEST_CASE("pieces and directions are refused", "[mixing]") {
  CHECK_THROWS_WITH(best_constant{}.weights(gossip::graph::undirected(4, {{0, 1}, {2, 3}})),
                    "best_constant: expected a connected graph, got a graph that is not connected");
  CHECK_THROWS_WITH(best_constant{}.weights(gossip::graph::directed(2, {{0, 1}})),
                    "best_constant: expected an undirected graph, got a directed graph");
  CHECK(best_constant{}.weights(gossip::graph::undirected(1, {})).at(0, 0) == 1.0);
}
