// Tests of random graphs with independent edges.
#include <gossip/topology/erdos_renyi.hpp>

#include <cmath>
#include <limits>

#include <gossip/graph/components.hpp>

#include "files.hpp"

using gossip::erdos_renyi;

TEST_CASE("the number of edges of a random graph is binomial", "[topology]") {
  // 499,500 pairs: 4995 edges with a standard deviation of 70.3; the mean of 20 within 5 of its
  // own.
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    sum += static_cast<double>(
        erdos_renyi{.nodes = 1000, .probability = 0.01, .allow_disconnected = true}
            .build(seed)
            .edges());
  CHECK(std::abs(sum / 20.0 - 4995.0) < 5.0 * 70.3 / std::sqrt(20.0));
}

TEST_CASE("every pair of nodes is joined with the same probability", "[topology]") {
  // 4000 draws, probability 0.3: 1200 with a standard deviation of 29.
  std::size_t count[5][5] = {};
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    for (auto const e : erdos_renyi{.nodes = 5, .probability = 0.3, .allow_disconnected = true}
                            .build(seed)
                            .edge_list())
      ++count[e.from][e.to];
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = i + 1; j < 5; ++j) CHECK((count[i][j] > 1080 && count[i][j] < 1320));
}

TEST_CASE("a random graph is connected unless that is waived", "[topology]") {
  for (std::size_t n : {1U, 2U, 3U, 17U})
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      CHECK(gossip::is_connected(erdos_renyi{.nodes = n, .probability = 0.5}.build(seed)));
  CHECK(erdos_renyi{.nodes = 10, .probability = 0.0, .allow_disconnected = true}.build(1).edges() ==
        0);
}

TEST_CASE("probability 1 is the complete graph", "[topology]") {
  CHECK(erdos_renyi{.nodes = 17, .probability = 1.0}.build(3).edges() == 17 * 16 / 2);
  CHECK(erdos_renyi{.nodes = 1, .probability = 0.0}.build(3).edges() == 0);
}

TEST_CASE("a sparse random graph of many nodes has the edges it should", "[topology]") {
  auto const g = erdos_renyi{.nodes = 100'000, .probability = 2e-4}.build(1);
  CHECK(std::abs(static_cast<double>(g.edges()) - 999'990.0) < 5.0 * 1000.0);

  // 4,999,950,000 pairs: 5 edges expected; 1 - p is rounded away without the series.
  std::size_t few = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    few += erdos_renyi{.nodes = 100'000, .probability = 1e-9, .allow_disconnected = true}
               .build(seed)
               .edges();
  CHECK((few > 130 && few < 270));  // 200, standard deviation 14
}

TEST_CASE("the same seed gives the same random graph and another seed another", "[topology]") {
  erdos_renyi const network{.nodes = 100, .probability = 0.1};
  CHECK(network.build(1) == network.build(1));
  CHECK_FALSE(network.build(1) == network.build(2));
}

TEST_CASE("random graphs that cannot be are refused", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(erdos_renyi{.nodes = 0, .probability = 0.5}) ==
        "erdos_renyi: nodes must be at least 1, got 0");
  CHECK(refusal(erdos_renyi{.nodes = 5, .probability = 1.5}) ==
        "erdos_renyi: probability must be between 0 and 1, got 1.5");
  CHECK(refusal(erdos_renyi{.nodes = 5, .probability = -0.5}) ==
        "erdos_renyi: probability must be between 0 and 1, got -0.5");
  CHECK(refusal(erdos_renyi{.nodes = 5, .probability = std::numeric_limits<double>::quiet_NaN()}) ==
        "erdos_renyi: probability must be between 0 and 1, got nan");
  CHECK(refusal(erdos_renyi{.nodes = 100'000, .probability = 0.9}) ==
        "erdos_renyi: expected at most 268435456 edges, got about 4.49996e+09");
  CHECK(refusal(erdos_renyi{.nodes = 1000, .probability = 0.001}) ==
        "erdos_renyi: found no connected graph of 1000 nodes with probability 0.001; 0.0138155 (2 "
        "ln n / n) is usually enough, or set allow_disconnected");
  CHECK(refusal(erdos_renyi{.nodes = 20, .probability = 0.0}) ==
        "erdos_renyi: found no connected graph of 20 nodes with probability 0; 0.299573 (2 ln n / "
        "n) is usually enough, or set allow_disconnected");
}
