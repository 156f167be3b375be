// SlowMo: the laws, and what it is for one local step or without momentum.
#include <gossip/exchange/slow_mo.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::local_sgd;
using gossip::momentum_at_average;
using gossip::ring;
using gossip::slow_mo;

namespace {

using slow_d_psgd = slow_mo<gossip::d_psgd<>>;

void check_alike(snapshot const &one, snapshot const &other) {
  for (std::size_t i = 0; i < one.rows.size(); ++i)
    CHECK(one.rows[i][0] == Approx(other.rows[i][0]).epsilon(1e-12));
}

}  // namespace

TEST_CASE("SlowMo keeps the laws of exchanges", "[exchange]") {
  check_exchange(slow_mo<>{{}, 3, 0.7, 1, momentum_at_average::reset}, {.keeps_mean = false});
}

TEST_CASE("SlowMo over D-PSGD keeps the laws of exchanges", "[exchange]") {
  check_exchange(slow_d_psgd{{}, 3}, {.keeps_mean = false});
  check_with_loss(slow_d_psgd{{}, 3}, {.keeps_mean = false});
}

TEST_CASE("SlowMo of one step of plain SGD is heavy-ball momentum", "[exchange]") {
  slow_mo<> const exchange{{}, 1, 0.8};
  check_alike(settled_by({.rate = 0.02}, ring{8}, exchange, 57),
              settled_by({.rate = 0.02, .momentum = 0.8}, ring{8}, gossip::all_reduce{}, 57));
}

TEST_CASE("SlowMo without slow momentum is its base with averages", "[exchange]") {
  slow_mo<> const exchange{{}, 5, 0};
  check_alike(settled(ring{8}, exchange, 57), settled(ring{8}, local_sgd{.local_steps = 5}, 57));
  slow_d_psgd const rare{{}, 100};
  CHECK(settled(ring{8}, rare, 57).rows == settled(ring{8}, gossip::d_psgd<>{}, 57).rows);
}

// u = (x - x') / (rate (1 - momentum)) where x stays, so x = x': momentum does not move it.
TEST_CASE("SlowMo settles where local SGD settles", "[exchange]") {
  for (double const scale : {0.5, 1.0}) {
    slow_mo<> const exchange{{}, 5, 0.5, scale};
    CHECK(settled(ring{8}, exchange, 2000).mean(0) == Approx(-0.673851).margin(5e-7));
  }
}

TEST_CASE("SlowMo waits where the rate is 0", "[exchange]") {
  small_network network{
      ring{8}, alternating_valleys(),
      gossip::scheduled{gossip::sgd{.rate = 0.05}, gossip::step_decay{.at = {5}, .gamma = 0}},
      slow_mo<>{{}, 2}};
  auto const seen = watched(network, {.stop = gossip::rounds{40}}, 1.0).seen;
  CHECK(std::abs(seen.back().mean(0)) > 0.01);
  CHECK(seen.back().rows == seen[20].rows);
}

TEST_CASE("SlowMo refuses hyper-parameters out of range, and what its base refuses", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, slow_mo<>{{}, 0}, 1),
                    contains("slow_mo: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, slow_mo<>{{}, 1, 1}, 1),
                    contains("slow_mo: slow_momentum: expected a number from 0 to below 1"));
  CHECK_THROWS_WITH(settled(ring{8}, slow_mo<>{{}, 1, 0, -1}, 1), contains("slow_mo: scale"));
  CHECK_THROWS_WITH(slow_d_psgd{}.check(gossip::graph::directed(3, {{0, 1}, {1, 2}, {2, 0}})),
                    contains("undirected"));
}
