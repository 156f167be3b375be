// Nodes alone: the laws of exchanges, and that each finds its own optimum.
#include <gossip/exchange/none.hpp>

#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;

TEST_CASE("none keeps the laws of exchanges", "[exchange]") {
  check_exchange(gossip::none{}, {.reaches_mean = false});
}

TEST_CASE("alone every node finds its own optimum", "[exchange]") {
  auto const end = settled(gossip::ring{8}, gossip::none{}, 600);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(end.rows[i][0] == Approx(alternating_valleys().optimum[i]).epsilon(1e-12));
}
