// Exchanges that look at whole models, where the optimum has another number in every coordinate.
#include <gossip/aggregation/krum.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/topology/complete.hpp>

#include <cstddef>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::differing {

namespace {

/// Models after one round at rate 0.1 from zero, where node i has stepped to 0.1 b_i.
std::vector<std::vector<double>> after_a_round(std::size_t nodes, node_values const &optimum,
                                               some_exchange const &exchange) {
  small_network network{complete{nodes}, quadratic<2>{.curvature = {1.0}, .optimum = optimum},
                        sgd{.rate = 0.1}, exchange};
  return watched(network, {.stop = rounds{1}}, at_the_end).seen.back().rows;
}

void check_models(std::vector<std::vector<double>> const &found,
                  std::vector<std::vector<double>> const &expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t c = 0; c < 2; ++c) CHECK(found[i][c] == Approx(expected[i][c]).margin(1e-15));
}

}  // namespace

// With f = 1 of five models, Krum adds the two least squared distances of each to the others: in
// units of 0.01 they are 2 + 9, 5 + 9, 10 + 16, 2 + 5 and 136 + 149, so that all nodes take the
// fourth model. Either coordinate alone has the first model nearest to the others.
TEST_CASE("Krum takes the model that is nearest in all coordinates together", "[exchange]") {
  node_values const optimum{{0, 0}, {3, 0}, {0, 4}, {1, 1}, {10, 10}};
  auto const found = after_a_round(5, optimum, robust_gossip<aggregation::krum>{.rule = {1}});
  check_models(found, std::vector<std::vector<double>>(5, {0.1, 0.1}));
}

// 0.1 (3, 4) is 0.5 long: a radius of 0.1 leaves a fifth of it, of which half is the weight's.
TEST_CASE("clipping shortens a difference and keeps its direction", "[exchange]") {
  auto const found = after_a_round(2, {{0, 0}, {3, 4}}, clipped_gossip<>{.radius = 0.1});
  check_models(found, {{0.03, 0.04}, {0.27, 0.36}});
}

// One of two numbers travels: q_0 = (0.3, 0), q_1 = (0, 0.2); each takes a quarter of the
// difference, half of the share 0.5.
TEST_CASE("top-k sends the coordinate that has moved furthest", "[exchange]") {
  auto const found =
      after_a_round(2, {{3, 1}, {1, 2}}, choco_sgd<codec::top_k>{{.share = 0.5}, 0.5});
  check_models(found, {{0.3 - 0.25 * 0.3, 0.1 + 0.25 * 0.2}, {0.1 + 0.25 * 0.3, 0.2 - 0.25 * 0.2}});
}

}  // namespace gossip::test::differing
