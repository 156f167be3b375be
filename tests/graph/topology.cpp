// Tests that what is and what is not a topology is told apart.
#include <gossip/graph/topology.hpp>

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

TEST_CASE("the model of the contract is a topology and near misses are not", "[graph]") {
  STATIC_REQUIRE(gossip::topology<pair_of_nodes>);
  STATIC_REQUIRE_FALSE(gossip::topology<not_const>);
  STATIC_REQUIRE_FALSE(gossip::topology<without_seed>);
  STATIC_REQUIRE_FALSE(gossip::topology<not_copyable>);
  STATIC_REQUIRE(gossip::builds_graph<not_copyable>);
  CHECK(pair_of_nodes{}.build(1).edges() == 1);
}
