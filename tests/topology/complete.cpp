// Tests of the complete graph.
#include <gossip/topology/complete.hpp>

#include "files.hpp"

using gossip::complete;

TEST_CASE("a complete graph joins every two nodes", "[topology]") {
  for (std::size_t n : {1U, 2U, 3U, 17U}) {
    auto const g = complete{.nodes = n}.build();
    CHECK(g.edges() == n * (n - 1) / 2);
    for (std::size_t i = 0; i < n; ++i) CHECK(g.degree(i) == n - 1);
  }
}

TEST_CASE("a complete graph without nodes or beyond memory is refused", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(complete{.nodes = 0}) == "complete: nodes must be at least 1, got 0");
  CHECK(refusal(complete{.nodes = 100'000}) ==
        "complete: expected at most 268435456 edges, got about 4.99995e+09");
}
