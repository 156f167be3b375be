// Tests of uniform weights.
#include <gossip/mixing/uniform_neighbor.hpp>

#include <vector>

#include <gossip/mixing/spectrum.hpp>
#include <gossip/topology/star.hpp>

#include "../catch.hpp"

TEST_CASE("uniform weights on a star agree on a mean that favours the hub", "[mixing]") {
  // Node i counts (d_i + 1) / sum_j (d_j + 1): the hub 4 of 10, so 4, 0, 0, 0 end at 1.6, not 1.
  auto const w = gossip::uniform_neighbor{}.weights(gossip::star{4}.build());
  std::vector<double> x{4.0, 0.0, 0.0, 0.0};
  std::vector<double> next(4);
  for (int k = 0; k < 200; ++k) {
    gossip::detail::multiply(w, x, next);
    x.swap(next);
  }
  for (double const value : x) CHECK(value == Approx(1.6).epsilon(1e-12));
}

TEST_CASE("uniform weights of a directed graph follow those who send", "[mixing]") {
  auto const w = gossip::uniform_neighbor{}.weights(gossip::graph::directed(3, {{0, 2}, {1, 2}}));
  CHECK(w.at(2, 0) == Approx(1.0 / 3.0));
  CHECK(w.at(2, 1) == Approx(1.0 / 3.0));
  CHECK(w.at(2, 2) == Approx(1.0 / 3.0));
  CHECK(w.at(0, 0) == 1.0);
  CHECK(w.at(0, 2) == 0.0);
}
