// Tests of communities: numbers of edges within and between, every pair with its chance.
#include <gossip/topology/stochastic_blocks.hpp>

#include <cmath>

#include <gossip/graph/components.hpp>

#include "files.hpp"

using gossip::stochastic_blocks;

TEST_CASE("edges within and between communities are binomial", "[topology]") {
  // 10 blocks of 100: 49,500 pairs within, 450,000 between.
  stochastic_blocks const made{10, 100, 0.2, 0.01};
  std::size_t within = 0, between = 0;
  for (auto const e : made.build(4).edge_list()) ++(e.from / 100 == e.to / 100 ? within : between);
  CHECK(std::abs(static_cast<double>(within) - 9900) < 5 * std::sqrt(9900 * 0.8));
  CHECK(std::abs(static_cast<double>(between) - 4500) < 5 * std::sqrt(4500 * 0.99));
  CHECK(made.size().edges == Approx(9900 + 4500));
}

TEST_CASE("every pair of two communities has its chance", "[topology]") {
  // 4000 draws with 0.3 within and 0.1 between: 1200 and 400, standard deviations 29 and 19.
  std::size_t count[6][6] = {};
  stochastic_blocks const made{3, 2, 0.3, 0.1, true};
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    for (auto const e : made.build(seed).edge_list()) ++count[e.from][e.to];
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i + 1; j < 6; ++j) {
      CAPTURE(i, j);
      double const mean = i / 2 == j / 2 ? 1200 : 400;
      CHECK(std::abs(static_cast<double>(count[i][j]) - mean) < 5 * std::sqrt(mean * 0.9));
    }
}

TEST_CASE("communities of certain edges are cliques or the complete graph", "[topology]") {
  CHECK(stochastic_blocks{4, 5, 1.0, 1.0}.build(1).edges() == 190);
  auto const cliques = stochastic_blocks{4, 5, 1.0, 0.0, true}.build(1);
  CHECK(cliques.edges() == 40);
  CHECK(gossip::components(cliques).sizes.size() == 4);
  CHECK(stochastic_blocks{1, 1, 0.0, 0.0}.build(1).nodes() == 1);
}

TEST_CASE("communities are connected unless that is waived", "[topology]") {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    CHECK(gossip::is_connected(stochastic_blocks{4, 16, 0.5, 0.02}.build(seed)));
  CHECK(gossip::test::refusal(stochastic_blocks{4, 5, 1.0, 0.0}) ==
        "stochastic_blocks: found no connected graph in 100 draws; use larger probabilities, or "
        "set allow_disconnected");
  CHECK(gossip::test::refusal(stochastic_blocks{4, 5, 2.0, 0.0}) ==
        "stochastic_blocks: within and between: expected probabilities from 0 to 1, got 2");
}
