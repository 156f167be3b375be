// Gradients in 16 bits over rows that keep more.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "small_network.hpp"

using namespace gossip::test;
using gossip::bf16;
using gossip::execution;
using gossip::fp16;
using gossip::mixed_precision;

namespace {

template <class Model = small_model, class Precision>
gossip::run_report run(Precision precision, some_exchange const &exchange,
                       some_optimizer const &optimizer, std::size_t threads, execution engine) {
  small_simulator network{gossip::random_regular{.nodes = 12, .degree = 3},
                          Model{},
                          optimizer,
                          exchange,
                          gossip::cpu{.threads = threads},
                          gossip::numbers<float>{},
                          precision};
  return network.run({.seed = 3, .batch = 70, .stop = gossip::rounds{6}, .engine = engine},
                     gossip::split(small_images(), gossip::iid{}), gossip::consensus_distance{});
}

/// One parameter at 1 whose gradient is a constant, infinite in fp16 from a scale of 65504 / |g|
/// on; and at chosen trainings beyond any scale.
struct constant_gradient {
  double value = 0x1p-12;
  std::uint64_t broken_step = std::numeric_limits<std::uint64_t>::max();

  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = false;
  static constexpr bool scales_loss = true;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    row[0] = T{1};
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &, gossip::training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      T const scale = task.loss_scale ? task.loss_scale[j] : T{1};
      bool const broken = task.steps[j] == broken_step;
      task.gradient.at(j)[0] =
          broken ? std::numeric_limits<T>::infinity() : static_cast<T>(value) * scale;
      *task.loss.at(j) = static_cast<double>(task.parameters.at(j)[0]);
    }
  }
};

/// The parameter of node 0 after so many steps, and the report.
struct outcome {
  double x;
  gossip::run_report report;
};

/// Keeps the first parameter of node 0.
struct keep_first {
  double *to;
  template <class Context>
  void measure(Context &context, gossip::record &) {
    *to = static_cast<double>(context.rows().parameters(0)[0]);
  }
};

template <class Precision, class Optimizer>
outcome follow(constant_gradient model, Precision precision, Optimizer optimizer,
               std::uint64_t steps, execution engine = execution::levelled) {
  gossip::simulator network{gossip::ring{.nodes = 3}, model,     optimizer,
                            gossip::none{},           precision, gossip::with_reference{}};
  outcome result{};
  result.report =
      network.run({.stop = gossip::rounds{steps}, .engine = engine}, keep_first{&result.x});
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("mixed precision: levelled and reference engine, any threads, the same bits",
                   "[engine]", mixed_precision<fp16>, mixed_precision<bf16>) {
  auto const check = [](some_exchange const &exchange, some_optimizer const &optimizer) {
    TestType const precision{};
    auto const expected = run(precision, exchange, optimizer, 1, execution::reference);
    CHECK(run(precision, exchange, optimizer, 1, execution::levelled).digest == expected.digest);
    CHECK(run(precision, exchange, optimizer, 3, execution::levelled).digest == expected.digest);
    auto const full = run(gossip::full_precision{}, exchange, optimizer, 1, execution::levelled);
    CHECK(full.digest != expected.digest);
    CHECK(full.last.loss == Approx(expected.last.loss).epsilon(0.02));
  };
  check(gossip::d_psgd{}, {gossip::sgd{.rate = 0.05, .momentum = 0.9}});
  check(gossip::ad_psgd{}, {gossip::adam{.rate = 0.01}});
  check(gossip::all_reduce{}, {gossip::sgd{.rate = 0.05}});
}

TEST_CASE("mixed precision reaches models with statistics, joins and dropout", "[engine]") {
  mixed_precision<fp16> const precision{};
  some_optimizer const optimizer{gossip::sgd{.rate = 0.05}};
  auto const run_it = [&](auto numbers, execution engine) {
    return run<normalised_model>(numbers, gossip::d_psgd{}, optimizer, 2, engine);
  };
  auto const levelled = run_it(precision, execution::levelled);
  CHECK(levelled.digest == run_it(precision, execution::reference).digest);
  auto const full = run_it(gossip::full_precision{}, execution::levelled);
  CHECK(full.last.loss == Approx(levelled.last.loss).epsilon(0.02));
}

TEST_CASE("rows of fp32 take steps that are lost in fp16", "[engine]") {
  // Half a unit in the last place of fp16 at 1 is 2^-11: four steps of 2^-12 make 1 + 2^-10 there.
  constant_gradient const model{.value = -0x1p-12};
  auto const mixed = follow(model, mixed_precision<fp16>{}, gossip::sgd{.rate = 1.0}, 4);
  CHECK(mixed.x == 1 + 0x1p-10);
  CHECK(gossip::rounded<fp16>(mixed.x) == 1 + 0x1p-10);
  double pure = 1;
  for (int step = 0; step < 1000; ++step) pure = gossip::rounded<fp16>(pure + 0x1p-12);
  CHECK(pure == 1);
}

TEST_CASE("a scaled loss keeps small gradients", "[engine]") {
  constant_gradient const model{.value = 0x1p-30};  // zero in fp16 without a scale
  mixed_precision<fp16> const unscaled{.loss_scale = 1};
  CHECK(follow(model, unscaled, gossip::sgd{.rate = 0x1p20}, 1).x == 1);
  CHECK(follow(model, mixed_precision<fp16>{}, gossip::sgd{.rate = 0x1p20}, 1).x == 1 - 0x1p-10);
  constant_gradient const uneven{.value = 1e-5};
  auto const scaled = follow(uneven, mixed_precision<fp16>{}, gossip::sgd{.rate = 1024}, 1).x;
  CHECK(std::abs((1 - scaled) / 1024e-5 - 1) < 0x1p-10);
}

TEST_CASE("an overflow leaves out the step, halves the scale and is reported", "[engine]") {
  using gossip::adam;
  constant_gradient model{.value = 0x1p-12, .broken_step = 2};
  for (execution const engine : {execution::levelled, execution::reference}) {
    auto const broken = follow(model, mixed_precision<fp16>{}, adam{.rate = 0.125}, 6, engine);
    auto const whole =
        follow({.value = 0x1p-12}, mixed_precision<fp16>{}, adam{.rate = 0.125}, 5, engine);
    CHECK(broken.x == whole.x);  // Adam's rows and its count of steps are as if it had not been
    auto const &skipped = broken.report.skipped.value();
    CHECK(skipped.steps == 3);
    CHECK(skipped.nodes == 3);
    CHECK(skipped.worst == 0);
    CHECK(skipped.most == 1);
    CHECK(skipped.smallest_scale == 32768);
    CHECK(skipped.largest_scale == 32768);
    CHECK(whole.report.skipped.value().steps == 0);
  }
}

TEST_CASE("the scale finds what a gradient allows, and grows again", "[engine]") {
  // 4 * 16384 = 65536 is the smallest that overflows: 65536 and 32768 and 16384 fail.
  auto const found = follow({.value = 4}, mixed_precision<fp16>{}, gossip::sgd{.rate = 0.5}, 10);
  CHECK(found.report.skipped.value().most == 3);
  CHECK(found.report.skipped.value().largest_scale == 8192);
  CHECK(found.x == 1 - 7 * 4 * 0.5);
  mixed_precision<fp16> const eager{.loss_scale = 8, .growth_interval = 2};
  auto const grown = follow({.value = 0x1p-12}, eager, gossip::sgd{.rate = 1.0}, 7);
  CHECK(grown.report.skipped.value().smallest_scale == 64);
}

TEST_CASE("what no scale helps ends the run with the node and the step", "[engine]") {
  std::string const expected = "the gradient overflows fp16 at every scale of the loss";
  CHECK_THROWS_WITH(follow({.value = 1e30}, mixed_precision<fp16>{.loss_scale = 4},
                           gossip::sgd{.rate = 0.1}, 100),
                    gossip::test::contains("node 0, step ") && gossip::test::contains(expected));
  CHECK_THROWS_WITH(follow({}, mixed_precision<fp16>{.loss_scale = 3}, gossip::sgd{.rate = 0.1}, 1),
                    gossip::test::contains("a power of two"));
}

TEST_CASE("a step of its own that no scale helps is named as well", "[engine]") {
  auto const refused = [](some_exchange const &exchange) {
    gossip::simulator network{gossip::ring{.nodes = 3},
                              constant_gradient{.value = 1e30},
                              gossip::sgd{.rate = 0.1},
                              exchange,
                              mixed_precision<fp16>{.loss_scale = 4},
                              gossip::with_reference{}};
    for (execution const engine : {execution::levelled, execution::reference})
      CHECK_THROWS_WITH(network.run({.stop = gossip::rounds{100}, .engine = engine}),
                        gossip::test::contains("node 0, step 17: the gradient overflows fp16"));
  };
  refused(gossip::d_psgd{.order = gossip::mixing_order::combine_then_adapt});
  refused(gossip::all_reduce{});
}

TEST_CASE("bf16 needs no scale and has none to report", "[engine]") {
  auto const far =
      follow({.value = 0x1p-100}, mixed_precision<bf16>{}, gossip::sgd{.rate = 0x1p99}, 1);
  CHECK(far.x == 0.5);
  CHECK_FALSE(far.report.skipped.has_value());
}

TEST_CASE("a gradient in bf16 that is not finite ends the run at the next loss", "[engine]") {
  constant_gradient const model{.value = 0x1p-12, .broken_step = 2};
  for (execution const engine : {execution::levelled, execution::reference})
    CHECK_THROWS_WITH(follow(model, mixed_precision<bf16>{}, gossip::sgd{.rate = 0.1}, 6, engine),
                      gossip::test::contains("node 0, step 3: the loss is"));
}

TEST_CASE("replicas of all-reduce leave out a round for one node's overflow", "[engine]") {
  gossip::simulator network{
      gossip::ring{.nodes = 4}, constant_gradient{.value = 0x1p-12, .broken_step = 1},
      gossip::sgd{.rate = 1.0}, gossip::all_reduce{}, mixed_precision<fp16>{}};
  double x = 0;
  auto const report = network.run({.stop = gossip::rounds{4}}, keep_first{&x});
  CHECK(x == 1 - 3 * 0x1p-12);
  CHECK(report.skipped.value().steps == 1);
}
