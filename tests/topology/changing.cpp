// Networks that change, of a user's own: in turns, with random numbers, and from a round on. The
// page of topologies quotes them.
#include <gossip/core/random.hpp>
#include <gossip/graph/components.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "files.hpp"

namespace {

// quote random_pairs
/// Every round another random matching of all nodes, of which there are `rounds` in turns.
struct random_pairs {
  std::size_t nodes = 16, rounds = 8;

  gossip::graph build(std::uint64_t seed) const {
    std::vector<gossip::graph> graphs;
    for (std::size_t k = 0; k < rounds; ++k) {
      gossip::keyed_random random(seed, gossip::purpose::topology, 0, k);
      std::vector<gossip::node> order(nodes);
      std::iota(order.begin(), order.end(), gossip::node{0});
      for (auto left = static_cast<std::uint32_t>(nodes); left > 1; --left)
        std::swap(order[left - 1], order[random.below(left)]);
      std::vector<gossip::edge> pairs;
      for (std::size_t i = 1; i < nodes; i += 2) pairs.push_back({order[i - 1], order[i]});
      graphs.push_back(gossip::graph::undirected(nodes, pairs));
    }
    gossip::graph made = gossip::graph::changing(std::move(graphs));
    gossip::require_connected(made, "random_pairs", "more rounds make it connected");
    return made;
  }
};
static_assert(gossip::topology<random_pairs>);
// end quote

// quote from_a_round
/// All with all at first, a ring from round `sparse` on.
struct dense_then_ring {
  std::size_t nodes = 16;
  gossip::round_number sparse = 100;

  gossip::graph build(std::uint64_t) const {
    return gossip::graph::changing(gossip::by_round<gossip::graph>(
        {gossip::complete{nodes}.build(), gossip::ring{nodes}.build()}, {0, sparse}));
  }
};
// end quote

}  // namespace

TEST_CASE("random pairs are a matching in every round, and another with another seed",
          "[topology]") {
  auto const g = random_pairs{.nodes = 9, .rounds = 12}.build(3);
  REQUIRE(g.rounds() != nullptr);
  CHECK(g.rounds()->period() == 12);
  for (gossip::round_number k = 0; k < 24; ++k) {
    gossip::graph const &now = (*g.rounds())[k];
    CHECK(now.edges() == 4);
    for (std::size_t i = 0; i < 9; ++i) CHECK(now.degree(i) <= 1);
    CHECK(now == (*g.rounds())[k % 12]);
  }
  CHECK_FALSE((*g.rounds())[0] == (*g.rounds())[1]);
  CHECK(random_pairs{9, 12}.build(3) == g);
  CHECK_FALSE(random_pairs{9, 12}.build(4) == g);
  CHECK(gossip::test::refusal(random_pairs{9, 1}) ==
        "random_pairs: the graph has 5 components (the largest has 2 of 9 nodes); more rounds make "
        "it "
        "connected");
}

TEST_CASE("weights follow a network that changes at a round", "[topology]") {
  auto const g = dense_then_ring{.nodes = 5, .sparse = 3}.build(1);
  auto const w = gossip::weights_by_round(gossip::metropolis_hastings{}, g);
  for (gossip::round_number const k : {0, 2}) CHECK(w[k].at(0, 2) == Approx(0.2));
  for (gossip::round_number const k : {3, 4, 1000}) {
    CHECK(w[k].at(0, 2) == 0);
    CHECK(w[k].at(0, 1) == Approx(1.0 / 3));
  }
}
