// The sentence of a run that diverges names who made the number that is not finite, and by what.
#include <gossip/aggregation/weighted_mean.hpp>
#include <gossip/codec/cast.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../exchange/conformance.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"
#include "small_runs.hpp"

using namespace gossip::test;
using gossip::execution;
using gossip::node;
using gossip::round_number;

namespace {

constexpr execution engines[] = {execution::levelled, execution::reference};

/// The sentence of a run that fails.
std::string failure(auto const &topology, auto const &exchange, auto const &optimizer,
                    gossip::quadratic<2> const &model, execution engine, std::uint64_t rounds = 40,
                    auto... options) {
  gossip::simulator network{
      topology, model, optimizer, some_exchange(exchange), gossip::with_reference{}, options...};
  try {
    network.run({.stop = gossip::rounds{rounds}, .engine = engine});
  } catch (gossip::diverged const &fault) {
    return fault.what();
  }
  return "no failure";
}

/// Node 2's optimum is beyond what fp16 holds.
gossip::quadratic<2> const far{.curvature = {1}, .optimum = {0, 0, 1e6, 0}, .start = 0};
gossip::quadratic<2> const near{.curvature = {1}, .optimum = {0}, .start = 1};

/// Node 2's model goes to node 1, encoded.
struct sends_fp16 {
  struct node_state {};
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if (k != 1) return;
    plan.assign(2, gossip::exchange_row(0), {{1, gossip::model_row}});
    plan.send_to(2, {1},
                 plan.encode(2, gossip::exchange_row(0), gossip::codec::cast<gossip::fp16>{}));
    plan.deliver();
  }
  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(i, gossip::model_row, {{0.5, gossip::model_row}}, {{0.5, m}});
  }
  static constexpr std::size_t rows = 1;
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

/// In round 3 node 1 takes a share of node 0's model that is no share.
struct huge_share {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if (k == 3) plan.combine(1, 0, 1e300);
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

TEST_CASE("a codec that makes a number infinite is named, and no rate", "[engine]") {
  for (auto const engine : engines)
    CHECK(
        failure(gossip::complete{4}, sends_fp16{}, gossip::sgd{.rate = 1.0}, far, engine) ==
        "node 1, step 2: the loss is inf: its model has inf in column 0; made by the codec fp16 of "
        "node 2, which has infinities beyond 65504");
}

TEST_CASE("a share that makes a model infinite is named, and no rate", "[engine]") {
  std::string const share =
      "; made by the combination of node 1 with node 0, by a coefficient of 1e+300";
  for (auto const engine : engines) {
    CHECK(failure(gossip::complete{4}, huge_share{}, gossip::sgd{.rate = 0.1}, near, engine) ==
          "node 1, step 4: the loss is nan: its model has nan in column 0" + share);
    CHECK(failure(gossip::complete{4}, huge_share{}, gossip::sgd{.rate = 0.1}, near, engine, 4) ==
          "node 1, after the last step: the model has a number that is not finite" + share);
  }
}

TEST_CASE("a device, which sees losses later than its models, names the same share", "[engine]") {
  gossip::simulator network{gossip::complete{4}, gossip::test::small_model{},
                            gossip::sgd{.rate = 0.1}, some_exchange(huge_share{}),
                            recording_device{}};
  CHECK_THROWS_WITH(network.run({.seed = 3, .stop = gossip::rounds{20}},
                                gossip::split(small_images(), gossip::iid{})),
                    "node 1, step 4: the loss is nan; made by the combination of node 1 with node "
                    "0, by a coefficient of 1e+300");
}

TEST_CASE("a rate is blamed where a training has made the model too large", "[engine]") {
  // Node 1 is the steepest: alone, its parameter grows by rate * 9 - 1 a step.
  gossip::quadratic<2> const steep{.curvature = {1, 9, 1, 1}, .optimum = {0}, .start = 1};
  for (auto const engine : engines)
    for (auto const &exchange : {some_exchange(gossip::none{}), some_exchange(gossip::d_psgd<>{})})
      CHECK(
          failure(gossip::ring{.nodes = 8}, exchange, gossip::sgd{.rate = 1e6}, steep, engine,
                  300) ==
          "node 1, step 3: the loss is inf: the largest number of its model is -7.29e+20, in "
          "column 0; made by the training of node 1, step 2, at a rate of 1e+06; a smaller rate or "
          "a warm-up may keep it smaller");
}

TEST_CASE("of a mixture the neighbor is named whose step was infinite", "[engine]") {
  // Node 3 alone steps by 1e20 * 1e20. Its neighbors' models are infinite by the mixture.
  gossip::quadratic<2> const cliff{
      .curvature = {1, 1, 1, 1e20, 1, 1, 1, 1}, .optimum = {0}, .start = 1};
  for (auto const engine : engines)
    CHECK(failure(gossip::ring{.nodes = 8},
                  gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine},
                  gossip::sgd{.rate = 1e20}, cliff, engine, 1) ==
          "node 2, after the last step: the model has a number that is not finite; made by the "
          "training of node 3, step 0, at a rate of 1e+20; a smaller rate or a warm-up may keep it "
          "smaller");
}

TEST_CASE("a model that the run began with is no matter of rates", "[engine]") {
  gossip::quadratic<2> const large{.curvature = {1}, .optimum = {0}, .start = 1e30};
  gossip::quadratic<2> const odd{.curvature = {1e300}, .optimum = {0}, .start = 1};
  for (auto const engine : engines) {
    CHECK(failure(gossip::complete{4}, gossip::none{}, gossip::sgd{.rate = 0.1}, large, engine) ==
          "node 0, step 0: the loss is inf: the largest number of its model is 1e+30, in column 0; "
          "the run began with it");
    CHECK(failure(gossip::complete{4}, gossip::none{}, gossip::sgd{.rate = 0.1}, odd, engine) ==
          "node 0, step 0: the loss is inf: the largest number of its model is 1, in column 0; the "
          "run began with it");
  }
}

namespace {

/// In round 2 shares are 0 / 0, which the plan does not know.
struct computed_share {
  static constexpr std::size_t rows = 1;
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if (k != 2) return;
    auto const zero = plan.reduce(gossip::op::squared_norm{}, 1, {gossip::exchange_row(0)});
    auto const none = plan.compute(gossip::op::quotient{}, 1, {zero, zero});
    plan.apply(gossip::op::interpolation{}, 1, {gossip::model_row}, 2, gossip::model_row, {none});
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

TEST_CASE("a share that the run has computed is named before trainings", "[engine]") {
  for (auto const engine : engines)
    CHECK(
        failure(gossip::complete{4}, computed_share{}, gossip::sgd{.rate = 0.1}, near, engine) ==
        "node 1, step 3: the loss is nan: its model has nan in column 0; made by one of these: the "
        "combination of node 1 with node 2 by scalars; quotient, a scalar of node 1; the training "
        "of node 1, step 2, at a rate of 0.1");
}

TEST_CASE("an attacker whose step was infinite is named where a mean takes its model", "[engine]") {
  gossip::quadratic<2> const mad{.curvature = {1, 1, 1, 1e38}, .optimum = {0}, .start = 10};
  for (auto const engine : engines)
    CHECK_THAT(failure(gossip::complete{4},
                       gossip::robust_gossip<gossip::aggregation::weighted_mean>{.attackers = 1},
                       gossip::sgd{.rate = 10}, mad, engine),
               contains("the training of node 3, step 0, at a rate of 10, an attacker"));
}

namespace {

/// A schedule of a user's own that divides by zero at its end.
struct ends_at_3 {
  double factor(double epoch) const { return epoch < 3 ? 1 : (epoch - 3) / (epoch - 3); }
};

}  // namespace

TEST_CASE("a rate that is no number is named, and no smaller one advised", "[engine]") {
  for (auto const engine : engines)
    CHECK(failure(gossip::complete{4}, gossip::none{},
                  gossip::scheduled{gossip::sgd{.rate = 0.1}, ends_at_3{}}, near, engine) ==
          "node 0, step 4: the loss is nan: its model has nan in column 0; made by the training of "
          "node 0, step 3, at a rate of nan");
}

TEST_CASE("a plan that went by answers of the run is searched as well", "[engine]") {
  // Asks after every round, so that every round is a window of its own.
  gossip::stop_at<huge_share> const asks{{}, gossip::measured::consensus_distance, -1, 1};
  for (auto const engine : engines) {
    gossip::simulator network{gossip::complete{4}, near, gossip::sgd{.rate = 0.1},
                              some_exchange(asks), gossip::with_reference{}};
    CHECK_THROWS_WITH(
        network.run({.stop = gossip::rounds{20}, .engine = engine}, gossip::consensus_distance{}),
        "node 1, step 4: the loss is nan: its model has nan in column 0; made by the "
        "combination of node 1 with node 0, by a coefficient of 1e+300");
  }
}

TEST_CASE("a run that is to begin from numbers that are not finite is refused", "[engine]") {
  gossip::simulator network{gossip::complete{4}, near, gossip::sgd{.rate = 0.1},
                            some_exchange(gossip::none{})};
  CHECK_THROWS_WITH(network.run({.stop = gossip::rounds{1}, .start = {1, std::nan("")}}),
                    "run: start: expected finite numbers, got nan at place 1");
}

TEST_CASE("attackers whose losses are infinite end no run, and are in no mean", "[engine]") {
  // The loss of the attacker is 1e38 x^2 / 2. The others have 50, 40.5 and 32.805, and the median
  // of equal models is theirs.
  gossip::quadratic<2> const mad{
      .curvature = {1, 1, 1, 1, 1, 1, 1, 1e38}, .optimum = {0}, .start = 10};
  for (auto const engine : engines) {
    gossip::simulator network{gossip::complete{8}, mad, gossip::sgd{.rate = 0.1},
                              some_exchange(gossip::robust_gossip<>{.attackers = 1}),
                              gossip::with_reference{}};
    auto const report = network.run({.stop = gossip::rounds{3}, .engine = engine});
    CHECK(report.last.loss == Approx(2 * (50 + 40.5 + 32.805) / 3));
    gossip::simulator trusting{gossip::complete{8}, mad, gossip::sgd{.rate = 0.1},
                               some_exchange(gossip::robust_gossip<>{}), gossip::with_reference{}};
    CHECK_THROWS_WITH(trusting.run({.stop = gossip::rounds{3}, .engine = engine}),
                      contains("node 7, step 0: the loss is inf"));
  }
}
