// Tests that what is and what is not a topology is told apart.
#include <gossip/topology/topology.hpp>

#include <cmath>
#include <cstddef>

#include <gossip/topology/chain.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/equi_static.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/group_grid.hpp>
#include <gossip/topology/one_peer_exponential.hpp>
#include <gossip/topology/random_out.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/ring_lattice.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/torus.hpp>
#include <gossip/topology/tree.hpp>

#include "../catch.hpp"

namespace {

struct pair_of_nodes {
  gossip::graph build(std::uint64_t) const { return gossip::graph::undirected(2, {{0, 1}}); }
};
struct not_const {
  gossip::graph build(std::uint64_t) { return {}; }
};
struct without_seed {
  gossip::graph build() const { return {}; }
};
struct not_copyable {
  not_copyable(not_copyable const &) = delete;
  gossip::graph build(std::uint64_t) const { return {}; }
};

}  // namespace

TEST_CASE("the model of the contract is a topology and near misses are not", "[topology]") {
  STATIC_REQUIRE(gossip::topology<pair_of_nodes>);
  STATIC_REQUIRE_FALSE(gossip::topology<not_const>);
  STATIC_REQUIRE_FALSE(gossip::topology<without_seed>);
  STATIC_REQUIRE_FALSE(gossip::topology<not_copyable>);
  STATIC_REQUIRE(gossip::builds_graph<not_copyable>);
  CHECK(pair_of_nodes{}.build(1).edges() == 1);
}

TEST_CASE("topologies know the size of their graph before they build it", "[topology]") {
  auto const known = [](auto const &topology) {
    gossip::graph const built = topology.build(3);
    CHECK(topology.size().nodes == built.nodes());
    CHECK(topology.size().edges == static_cast<double>(built.edges()));
  };
  for (std::size_t const n : {1U, 2U, 3U, 17U}) {
    CAPTURE(n);
    known(gossip::ring{n});
    known(gossip::star{n});
    known(gossip::complete{n});
    known(gossip::exponential{n});
    known(gossip::chain{n});
    known(gossip::tree{n});
    known(gossip::one_peer_exponential{n});
    if (n > 2) known(gossip::ring_lattice{n, n / 3 * 2});
    known(gossip::random_out{n, n - 1});
    known(gossip::equi_static{n, n < 3 ? 1 : n - 2, true});
    known(gossip::group_grid{.nodes = n, .side = 3});
    known(gossip::random_regular{.nodes = n, .degree = n < 4 ? n - 1 : 4});
  }
  known(gossip::torus{3, 7});

  // Of a random number of edges the mean, here 4 standard deviations around it.
  gossip::erdos_renyi const random{.nodes = 200, .probability = 0.1};
  gossip::graph const drawn = random.build(3);
  CHECK(random.size().nodes == drawn.nodes());
  double const mean = 199 * 200 / 2 * 0.1;
  CHECK(random.size().edges == Approx(mean));
  CHECK(static_cast<double>(drawn.edges()) == Approx(mean).margin(4 * std::sqrt(mean * 0.9)));
}
