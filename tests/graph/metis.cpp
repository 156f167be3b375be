// METIS divides a graph as the library's own method does: all of it, evenly, with few edges cut.
#include <gossip/graph/metis.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/torus.hpp>

#include "catch.hpp"

TEST_CASE("METIS divides evenly and cuts few edges", "[graph]") {
  for (std::size_t const parts : {1, 2, 3, 8}) {
    for (gossip::graph const &g : {gossip::ring{100}.build(1), gossip::torus{16, 16}.build(1),
                                   gossip::random_regular{.nodes = 200, .degree = 8}.build(1)}) {
      auto const metis = describe(g, gossip::metis_partition(g, parts), parts);
      auto const own = describe(g, gossip::multilevel_partition(g, parts), parts);
      CAPTURE(parts, g.edges(), metis.cut, own.cut);
      CHECK(metis.balance() < 1.1);
      CHECK(static_cast<double>(own.cut) <= 1.25 * static_cast<double>(metis.cut) + 4);
    }
  }
}

TEST_CASE("METIS takes more parts than nodes", "[graph]") {
  CHECK(gossip::metis_partition(gossip::ring{3}.build(1), 5) ==
        std::vector<std::uint32_t>{0, 1, 2});
}
