// Tests of the times of averages, against closed forms.
#include <gossip/mixing/averaging_times.hpp>

#include <numbers>

#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include "../catch.hpp"

namespace {

gossip::averaging_times times(gossip::graph const &g, double rate) {
  return gossip::times_of_averages(g, [rate](auto, auto) { return rate; });
}

}  // namespace

// Of a ring 1 / (2 r (1 - cos(2 pi / n))) and (n - 1) / (2 n r), as an edge is beside n - 1 others.
TEST_CASE("times of averages are the closed forms of rings, stars and complete graphs",
          "[mixing]") {
  for (std::size_t const n : {3, 8, 17}) {
    double const size = static_cast<double>(n);
    auto const ring = times(gossip::ring{n}.build(), 0.5);
    double const angle = 2 * std::numbers::pi / size;
    CHECK(ring.algebraic == Approx(1 / (1 - std::cos(angle))).epsilon(1e-12));
    CHECK(ring.resistance == Approx((size - 1) / size).epsilon(1e-12));
    auto const complete = times(gossip::complete{n}.build(), 2.0);
    CHECK(complete.algebraic == Approx(1 / (2 * size)).epsilon(1e-12));
    CHECK(complete.resistance == Approx(1 / (2 * size)).epsilon(1e-12));
    auto const star = times(gossip::star{n}.build(), 1.0);
    CHECK(star.algebraic == Approx(1.0).epsilon(1e-12));
    CHECK(star.resistance == Approx(0.5).epsilon(1e-12));
  }
  auto const eight = times(gossip::ring{8}.build(), 0.5);
  CHECK(eight.algebraic == Approx(3.41421).margin(1e-5));
  CHECK(eight.resistance == Approx(0.875).margin(1e-12));
}

TEST_CASE("times of averages need a connected graph", "[mixing]") {
  CHECK(times(gossip::graph::undirected(1, {}), 1.0).algebraic == 0.0);
  CHECK_THROWS_WITH(
      times(gossip::graph::undirected(4, {{0, 1}, {2, 3}}), 1.0),
      "times_of_averages: expected a connected graph, got a graph that is not connected");
}
