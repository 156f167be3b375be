// One global merge: the laws, and the mean of the base's models.
#include <gossip/exchange/global_merge.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::d_psgd;
using gossip::global_merge;
using gossip::ring;

TEST_CASE("a global merge keeps the laws of exchanges", "[exchange]") {
  check_exchange(global_merge<>{{}, 4});
}

TEST_CASE("a global merge is the mean of its base, and its base before", "[exchange]") {
  global_merge<> const exchange{{}, 30};
  CHECK(settled(ring{8}, exchange, 29).rows == settled(ring{8}, d_psgd<>{}, 29).rows);
  auto const base = settled(ring{8}, d_psgd<>{}, 30), merged = settled(ring{8}, exchange, 30);
  CHECK(base.distance() > 0.1);
  for (auto const &row : merged.rows) CHECK(row[0] == Approx(base.mean(0)).epsilon(1e-14));
  CHECK(settled(ring{8}, exchange, 31).distance() > 1e-6);  // once only
}

TEST_CASE("a global merge refuses to come before the first round, and what its base refuses",
          "[exchange]") {
  CHECK_THROWS_WITH(
      settled(ring{8}, global_merge<>{{}, 0}, 1),
      contains("global_merge: merged_after: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(global_merge<>{}.check(gossip::graph::directed(2, {{0, 1}})),
                    contains("undirected"));
}
