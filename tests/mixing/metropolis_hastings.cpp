// Tests of Metropolis-Hastings weights.
#include <gossip/mixing/metropolis_hastings.hpp>

#include <gossip/topology/star.hpp>

#include "../catch.hpp"

TEST_CASE("Metropolis-Hastings divides by the larger of two neighbourhoods", "[mixing]") {
  // 0 - 1 - 2 - 3, 1 - 4: degrees 1 3 2 1 1
  auto const g = gossip::graph::undirected(5, {{0, 1}, {1, 2}, {2, 3}, {1, 4}});

  auto const w = gossip::metropolis_hastings{}.weights(g);

  CHECK(w.at(0, 1) == Approx(1.0 / 4.0));
  CHECK(w.at(1, 2) == Approx(1.0 / 4.0));
  CHECK(w.at(2, 3) == Approx(1.0 / 3.0));
  CHECK(w.at(0, 0) == Approx(3.0 / 4.0));
  CHECK(w.at(1, 1) == Approx(1.0 / 4.0));
  CHECK(w.at(3, 3) == Approx(2.0 / 3.0));
}

TEST_CASE("Metropolis-Hastings on a star gives every edge 1/n", "[mixing]") {
  auto const w = gossip::metropolis_hastings{}.weights(gossip::star{10}.build());
  for (std::size_t i = 1; i < 10; ++i) CHECK(w.at(0, i) == Approx(0.1));
  CHECK(w.at(0, 0) == Approx(0.1));
  CHECK(w.at(3, 3) == Approx(0.9));
}

TEST_CASE("Metropolis-Hastings refuses a directed graph", "[mixing]") {
  CHECK_THROWS_WITH(gossip::metropolis_hastings{}.weights(gossip::graph::directed(2, {{0, 1}})),
                    "metropolis_hastings: expected an undirected graph, got a directed graph");
}
