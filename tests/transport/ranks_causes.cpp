// Runs that diverge on many ranks, and attackers that end none.
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include "ranks.hpp"

namespace gossip::test {

namespace {

/// In round 3 node 1 takes a share of node 0's model that is no share.
struct huge_share_of_one {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if (k == 3) plan.combine(1, 0, 1e300);
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

}  // namespace gossip::test

TEST_CASE("a model that diverges in the last round is explained alike on all ranks", "[ranks]") {
  using namespace gossip;
  quadratic<40> const model{.curvature = {1}, .optimum = {0}, .start = 1};
  test::small_simulator shares{complete{8}, model, sgd{.rate = 0.1}, test::huge_share_of_one{},
                               test::all_ranks()};
  CHECK_THROWS_WITH(shares.run({.stop = rounds{4}}),
                    "node 1, after the last step: the model has a number that is not finite; made "
                    "by the combination of node 1 with node 0, by a coefficient of 1e+300");

  quadratic<40> const cliff{.curvature = {1, 1, 1, 1e20, 1, 1, 1, 1}, .optimum = {0}, .start = 1};
  test::small_simulator steps{ring{.nodes = 8}, cliff, sgd{.rate = 1e20},
                              d_psgd<>{.order = mixing_order::adapt_then_combine},
                              test::all_ranks()};
  CHECK_THROWS_WITH(steps.run({.stop = rounds{1}}),
                    "node 2, after the last step: the model has a number that is not finite; made "
                    "by the training of node 3, step 0, at a rate of 1e+20; a smaller rate or a "
                    "warm-up may keep it smaller");
}

TEST_CASE("attackers whose losses are infinite end no run of many ranks", "[ranks]") {
  using namespace gossip;
  quadratic<40> const model{.curvature = {1, 1, 1, 1, 1, 1, 1, 1e38}, .optimum = {0}, .start = 10};
  test::small_simulator network{complete{8}, model, sgd{.rate = 0.1},
                                robust_gossip<>{.attackers = 1}, test::all_ranks()};
  auto const report = network.run({.stop = rounds{3}});
  CHECK(report.last.loss == Approx(40 * (50 + 40.5 + 32.805) / 3));
}
