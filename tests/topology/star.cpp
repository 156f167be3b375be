// Tests of the star.
#include <gossip/topology/star.hpp>

#include "files.hpp"

using gossip::star;

TEST_CASE("node 0 of a star is joined with all others and they with nobody else", "[topology]") {
  for (std::size_t n : {1U, 2U, 3U, 17U}) {
    auto const g = star{.nodes = n}.build();
    CHECK(g.nodes() == n);
    CHECK(g.degree(0) == n - 1);
    for (std::size_t i = 1; i < n; ++i) CHECK((g.degree(i) == 1 && g.has_edge(i, 0)));
  }
}

TEST_CASE("a star without nodes is refused", "[topology]") {
  CHECK(gossip::test::refusal(star{.nodes = 0}) == "star: nodes must be at least 1, got 0");
}
