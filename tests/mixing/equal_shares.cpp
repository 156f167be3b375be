// Tests of equal shares.
#include <gossip/mixing/equal_shares.hpp>

#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include "../catch.hpp"

TEST_CASE("equal shares of a directed graph are those of who sends", "[mixing]") {
  auto const p =
      gossip::equal_shares{}.weights(gossip::graph::directed(3, {{0, 1}, {0, 2}, {1, 2}}));
  CHECK(p.sums() == gossip::stochastic::columns);
  for (std::size_t i = 0; i < 3; ++i) CHECK(p.at(i, 0) == 1.0 / 3);
  CHECK(p.at(0, 1) == 0.0);
  CHECK(p.at(1, 1) == 0.5);
  CHECK(p.at(2, 1) == 0.5);
  CHECK(p.at(2, 2) == 1.0);
  CHECK(p.at(0, 2) == 0.0);
}

TEST_CASE("equal shares are doubly stochastic where degrees are equal, and only there",
          "[mixing]") {
  CHECK(gossip::equal_shares{}.weights(gossip::ring{7}.build()).is_doubly_stochastic());
  CHECK_FALSE(gossip::equal_shares{}.weights(gossip::star{4}.build()).is_doubly_stochastic());
}
