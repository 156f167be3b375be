// Tests of the ring.
#include <gossip/topology/ring.hpp>

#include <vector>

#include "files.hpp"

using gossip::edge;
using gossip::ring;

TEST_CASE("a ring joins each node with the one before and the one after", "[topology]") {
  CHECK(ring{.nodes = 4}.build().edge_list() == std::vector<edge>{{0, 1}, {0, 3}, {1, 2}, {2, 3}});
}

TEST_CASE("the smallest rings are a node, an edge and a triangle", "[topology]") {
  CHECK(ring{.nodes = 1}.build().edges() == 0);
  CHECK(ring{.nodes = 2}.build().edges() == 1);
  CHECK(ring{.nodes = 3}.build().edges() == 3);
  CHECK(ring{.nodes = 17}.build().edges() == 17);
  CHECK(ring{.nodes = 2}.build().dropped().duplicates == 0);
}

TEST_CASE("a ring without nodes or beyond memory is refused", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(ring{.nodes = 0}) == "ring: nodes must be at least 1, got 0");
  CHECK(refusal(ring{.nodes = 4'000'000'000}) ==
        "ring: expected at most 268435456 edges, got about 4e+09");
}
