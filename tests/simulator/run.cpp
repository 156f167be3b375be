// A run as a whole: how long it is, what it refuses, how it is interrupted.
#include <gossip/simulator/simulator.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/topology/ring.hpp>

#include <atomic>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::epochs;
using gossip::rounds;

namespace {

constexpr gossip::mixing_order atc = gossip::mixing_order::adapt_then_combine;

// Asks for the end of the run once so many node-iterations are done, and keeps the last record.
struct pull_the_cord {
  std::atomic<bool> *cord;
  std::uint64_t after;
  gossip::record *last;

  void tick(gossip::progress_mark const &mark, double) {
    if (mark.node_iterations >= after) *cord = true;
  }
  void take(gossip::record const &r) { *last = r; }
};

struct interrupted_run {
  gossip::run_report report;
  gossip::record last;
};

interrupted_run run_until(some_exchange const &exchange, std::uint64_t after,
                          gossip::execution engine = gossip::execution::levelled) {
  gossip::simulator network{gossip::ring{4},
                            gossip::quadratic<3>{.optimum = {1, 2, 3}},
                            gossip::sgd{.rate = 0.1},
                            exchange,
                            gossip::virtual_clock{.compute = gossip::constant_time{}},
                            gossip::with_reference{}};
  std::atomic<bool> cord{false};
  interrupted_run result;
  result.report = network.run({.stop = rounds{30}, .engine = engine, .interrupt = &cord},
                              pull_the_cord{&cord, after, &result.last});
  return result;
}

// Node-iterations of a run on the 170 tiny images.
std::uint64_t iterations(some_exchange const &exchange, std::size_t batch,
                         std::variant<epochs, rounds> stop) {
  gossip::simulator network{gossip::ring{4}, tiny_classifier{}, gossip::sgd{}, exchange};
  return network.run({.batch = batch, .stop = stop}, gossip::split(tiny_images(), gossip::iid{}))
      .node_iterations;
}

}  // namespace

TEST_CASE("the reference engine is an option of a simulator", "[simulator]") {
  gossip::simulator const network{gossip::ring{4}, gossip::quadratic<1>{}, gossip::sgd{},
                                  gossip::d_psgd{}};
  CHECK_THROWS_WITH(network.run({.stop = rounds{1}, .engine = gossip::execution::reference}),
                    "engine: expected levelled, or a simulator with the option "
                    "gossip::with_reference{}, got reference");
}

TEST_CASE("a run has as many rounds as asked for, or as many as its epochs need", "[simulator]") {
  auto const check = [](auto const &exchange) {
    CHECK(iterations(exchange, 5, rounds{7}) == 4 * 7);
    CHECK(iterations(exchange, 5, epochs{1}) == 4 * 9);  // 170 / 5 = 34, whole rounds: 36
    CHECK(iterations(exchange, 5, epochs{2}) == 4 * 17);
    CHECK(iterations(exchange, 170, epochs{1}) == 4);
    CHECK(iterations(exchange, 5, epochs{1e-12}) == 4);
  };
  check(gossip::ad_psgd{});
  check(gossip::d_psgd<>{.order = atc});
}

TEST_CASE("a run that cannot be is refused in a sentence", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, tiny_classifier{}, gossip::sgd{}, gossip::ad_psgd{}};
  auto const data = gossip::split(tiny_images(), gossip::iid{});
  CHECK_THROWS_WITH(network.run({.batch = 0}, data), "run: batch must be at least 1, got 0");
  CHECK_THROWS_WITH(network.run({.stop = rounds{0}}, data), "run: stop must be above 0");
  CHECK_THROWS_WITH(network.run({.stop = epochs{-1}}, data), "run: stop must be above 0");
  CHECK_THROWS_WITH(network.run({.stop = epochs{0.0 / 0.0}}, data), "run: stop must be above 0");
  CHECK_THROWS_WITH(network.run({.stop = epochs{1e20}}, data),
                    contains("run: stop: expected fewer than 10^15 node-iterations"));
}

TEST_CASE("samples that the model cannot read are refused before the run", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, tiny_classifier{}, gossip::sgd{}, gossip::ad_psgd{}};
  auto const wide = gossip::synthetic{.samples = 10, .shape = {1, 2, 8}, .classes = 5}.build();
  CHECK_THROWS_WITH(network.run({}, gossip::split(wide, gossip::iid{})),
                    "synthetic: expected samples of 1x4x4, as the model has, got 1x2x8");
  auto const many = gossip::synthetic{.samples = 10, .shape = {1, 4, 4}, .classes = 6}.build();
  CHECK_THROWS_WITH(network.run({}, gossip::split(many, gossip::iid{})),
                    "synthetic: sample 5: expected a label below 5, as the model has, got 5");
  auto const part = many.first(5);
  CHECK_THROWS_WITH(network.run({}, gossip::split(part, gossip::iid{})),
                    "synthetic: expected at most 5 classes, as the model has, got 6, by the labels "
                    "of training and test");
  auto const few = gossip::synthetic{.samples = 3, .shape = {1, 4, 4}, .classes = 3}.build();
  CHECK_THROWS_WITH(network.run({}, gossip::split(few, gossip::iid{})),
                    contains("at least one sample for each of 4 nodes, got 3 samples"));
}

TEST_CASE("hyper-parameters are checked when a simulator is made", "[simulator]") {
  CHECK_THROWS_AS((gossip::simulator{gossip::ring{4}, gossip::quadratic<1>{},
                                     gossip::sgd{.rate = -1}, gossip::ad_psgd{}}),
                  gossip::input_error);
}

TEST_CASE("an interrupted run ends at the next level with a whole report", "[simulator]") {
  some_exchange const exchange = gossip::d_psgd<>{.order = atc};
  for (std::uint64_t const count : {1, 4, 5, 29}) {
    auto const [report, last] = run_until(exchange, 4 * count);
    CHECK(report.interrupted);
    CHECK(report.node_iterations == 4 * count);
    CHECK(last.last);
    CHECK(last.mark.node_iterations == 4 * count);
    // The run that it would have been, had it been asked for no more rounds than it had.
    gossip::simulator network{gossip::ring{4}, gossip::quadratic<3>{.optimum = {1, 2, 3}},
                              gossip::sgd{.rate = 0.1}, exchange,
                              gossip::virtual_clock{.compute = gossip::constant_time{}}};
    auto const shorter = network.run({.stop = rounds{count}});
    CHECK(report.digest == shorter.digest);
    CHECK(report.bytes_sent == shorter.bytes_sent);
    CHECK(report.virtual_seconds == Approx(shorter.virtual_seconds));
    CHECK_FALSE(shorter.interrupted);
  }
}

TEST_CASE("every engine and exchange can be interrupted", "[simulator]") {
  for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
    auto const [report, last] = run_until(gossip::ad_psgd{}, 40, engine);
    CHECK(report.interrupted);
    CHECK(report.node_iterations >= 40);
    CHECK(report.node_iterations < 60);
    CHECK(last.mark.node_iterations == report.node_iterations);
  }
  CHECK_FALSE(run_until(gossip::ad_psgd{}, 1'000'000).report.interrupted);
}

TEST_CASE("two runs of one simulator are the same, another seed gives another", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, tiny_classifier{}, gossip::sgd{}, gossip::ad_psgd{}};
  auto const run = [&](std::uint64_t seed) {
    return network
        .run({.seed = seed, .stop = rounds{5}}, gossip::split(tiny_images(), gossip::iid{}))
        .digest;
  };
  CHECK(run(1) == run(1));
  CHECK(run(1) != run(2));
}

TEST_CASE("a dry run counts what the run will do", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, tiny_classifier{}, gossip::sgd{}, gossip::ad_psgd{}};
  gossip::run_settings const settings{.batch = 5, .stop = epochs{2}};
  auto const run = network.run(settings, gossip::split(tiny_images(), gossip::iid{}));
  auto const dry = network.dry_run(settings, {.samples = 170, .feature_bytes = 4});
  CHECK(dry.node_iterations == run.node_iterations);
  CHECK(dry.bytes_sent == run.bytes_sent);
  CHECK(dry.virtual_seconds == run.virtual_seconds);
  CHECK(dry.mean_cohort == Approx(run.mean_cohort));
  CHECK(dry.memory.total() == run.announced.total());
  CHECK(dry.state_bytes_per_node == run.state_bytes_per_node);
}
