// The direction of arcs: which end sends, and which end's weight belongs to an arc. The page of
// topologies quotes the first test, that of weights the rule.
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/topology/star.hpp>

#include <cstddef>
#include <vector>

#include "../catch.hpp"

namespace {

// quote pairs
/// As metropolis_hastings, but that hubs are trusted less: an edge at a node of many neighbors
/// counts by the product of both degrees.
struct wary_of_hubs {
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::mixing_matrix::over(g, [&](std::size_t i, std::size_t j) {
      return 1.0 / (1.0 + static_cast<double>(g.degree(i) * g.degree(j)));
    });
  }
};
static_assert(gossip::weight_rule<wary_of_hubs>);
// end quote

}  // namespace

TEST_CASE("an arc leads from the sender to the receiver, whose weight it has", "[mixing]") {
  // quote arcs
  // Node 0 sends to 1 and 2, node 1 to 2, and node 2 to 0.
  std::vector<gossip::edge> const arcs{{.from = 0, .to = 1}, {0, 2}, {1, 2}, {2, 0}};
  auto const g = gossip::graph::directed(3, arcs);
  CHECK(g.degree(0) == 2);             // it sends to two
  CHECK(g.reversed().degree(0) == 1);  // it hears from one
  CHECK(g.has_edge(0, 1));
  CHECK_FALSE(g.has_edge(1, 0));

  auto const w = gossip::uniform_neighbor{}.weights(g);  // row i: what node i hears
  CHECK(w.at(1, 0) == 1.0 / 2);  // of the arc from 0 to 1: the weight that 1 gives to 0's model
  CHECK(w.at(0, 1) == 0);        // node 0 does not hear from 1
  auto const p = gossip::equal_shares{}.weights(g);
  CHECK(p.at(1, 0) == 1.0 / 3);  // of the arc from 0 to 1: the share of what 0 has that 1 gets
  // end quote
  for (gossip::edge const arc : g.edge_list()) {
    CHECK(w.at(arc.to, arc.from) == 1 / (1.0 + static_cast<double>(g.reversed().degree(arc.to))));
    CHECK(p.at(arc.to, arc.from) == 1 / (1.0 + static_cast<double>(g.degree(arc.from))));
  }
  CHECK(g.edge_list().size() == arcs.size());
}

TEST_CASE("a rule of pairs leaves the rest of a row to its node", "[mixing]") {
  auto const w = wary_of_hubs{}.weights(gossip::star{5}.build());
  CHECK(w.is_symmetric());
  CHECK(w.is_doubly_stochastic());
  CHECK(w.at(0, 3) == 0.2);
  CHECK(w.at(0, 0) == Approx(0.2));
  CHECK(w.at(3, 3) == Approx(0.8));
}
