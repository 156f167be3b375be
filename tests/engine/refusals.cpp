// Numbers that a run cannot go on with are refused, by the node and the step, in both engines.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/complete.hpp>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::execution;

namespace {

auto run_at(double rate, some_exchange const &exchange, execution engine) {
  // Node 1 is the steepest: alone, its parameter grows by rate * 9 - 1 a step.
  gossip::quadratic<2> const model{.curvature = {1, 9, 1}, .optimum = {0}, .start = 1};
  small_simulator network{gossip::complete{3}, model, gossip::sgd{.rate = rate}, exchange,
                          gossip::numbers<float>{}};
  return [=]() mutable { network.run({.stop = gossip::rounds{300}, .engine = engine}); };
}

}  // namespace

TEST_CASE("a loss that is no number names the node and the step", "[engine]") {
  for (auto const engine : {execution::levelled, execution::reference}) {
    // 1, 9e6, 8e13, 7e20: the square of the fourth is beyond float's 3e38. Nodes 0 and 2 grow less.
    CHECK_THROWS_WITH(
        run_at(1e6, gossip::none{}, engine)(),
        "node 1, step 3: the loss is inf: the largest number of its model is "
        "-7.29e+20, in column 0; made by the training of node 1, step 2, at a rate of "
        "1e+06; a smaller rate or a warm-up may keep it smaller");
    CHECK_THROWS_WITH(run_at(1e10, gossip::ad_psgd{}, engine)(), contains("the loss is"));
  }
}

TEST_CASE("a last step that diverges is refused at the end of the run", "[engine]") {
  // The loss of the only training is 1e20; the step by 1e40 is beyond float.
  auto const last_step = [](auto number, execution engine) {
    gossip::quadratic<2> const model{.curvature = {1, 1e20, 1}, .optimum = {0}, .start = 1};
    small_simulator network{gossip::complete{3}, model, gossip::sgd{.rate = 1e20}, gossip::none{},
                            number};
    network.run({.stop = gossip::rounds{1}, .engine = engine});
  };
  std::string const sentence =
      "node 1, after the last step: the model has a number that is not finite; made by the "
      "training "
      "of node 1, step 0, at a rate of 1e+20; a smaller rate or a warm-up may keep it smaller";
  for (auto const engine : {execution::levelled, execution::reference}) {
    CHECK_THROWS_WITH(last_step(gossip::numbers<float>{}, engine), sentence);
    CHECK_THROWS_WITH((last_step(gossip::numbers<float, gossip::bf16>{}, engine)), sentence);
    CHECK_NOTHROW(last_step(gossip::numbers<double>{}, engine));
  }
}

TEST_CASE("a gradient too large for an exact sum names the node and the step", "[engine]") {
  for (auto const engine : {execution::levelled, execution::reference})
    CHECK_THROWS_WITH(
        run_at(1e6, gossip::all_reduce{}, engine)(),
        "node 0, step 1: the gradient has a number that is not finite or beyond "
        "2^20, too large to be summed: the largest number of its model is -3.667e+06, "
        "in column 0; made by a step of all nodes, at a rate of 1e+06; a smaller rate "
        "or a warm-up may keep it smaller");
}
