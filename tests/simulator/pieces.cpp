// Runs that are advanced in pieces: the same rows, records and answers as at once.
#include <gossip/simulator/simulator.hpp>
#include <gossip/simulator/stopwatch.hpp>

#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::epochs;
using gossip::rounds;

namespace {

gossip::quadratic<3> const valleys{.curvature = {1.0, 0.5}, .optimum = {3, -1, 4}, .noise = 0.1};

auto network_of(some_exchange const &exchange) {
  return gossip::simulator{gossip::ring{8}, valleys, gossip::sgd{.rate = 0.1, .momentum = 0.9},
                           exchange, gossip::with_reference{}};
}

/// The records that an observer takes, and the number of its ends.
struct listener {
  std::vector<gossip::record> *records;
  int *ends;

  void take(gossip::record const &r) const { records->push_back(r); }
  void end(gossip::run_report const &) const { ++*ends; }
};

struct heard_run {
  gossip::run_report report;
  std::vector<gossip::record> records;
  int ends = 0;
};

/// advance(run) is called until the run is over.
template <class Simulator, class Advance>
heard_run heard(Simulator const &network, gossip::run_settings const &settings, Advance advance) {
  heard_run all;
  auto run = network.start(settings, gossip::every(rounds{3}, gossip::consensus_distance{},
                                                   listener{&all.records, &all.ends}));
  while (!run.over()) {
    CHECK(all.ends == 0);
    advance(run);
  }
  all.report = run.report();
  return all;
}

void check_same(heard_run const &a, heard_run const &b) {
  CHECK(gossip::hex(a.report.digest) == gossip::hex(b.report.digest));
  CHECK(a.report.node_iterations == b.report.node_iterations);
  CHECK(a.report.bytes_sent == b.report.bytes_sent);
  CHECK(a.report.virtual_seconds == b.report.virtual_seconds);
  CHECK(a.report.answers == b.report.answers);
  CHECK(a.report.stopped == b.report.stopped);
  CHECK(a.ends == 1);
  CHECK(b.ends == 1);
  REQUIRE(a.records.size() == b.records.size());
  for (std::size_t k = 0; k < a.records.size(); ++k) {
    CHECK(a.records[k].mark.node_iterations == b.records[k].mark.node_iterations);
    CHECK(a.records[k].consensus_distance == b.records[k].consensus_distance);
    bool const nothing = std::isnan(a.records[k].loss) && std::isnan(b.records[k].loss);
    CHECK((nothing || a.records[k].loss == b.records[k].loss));
  }
}

some_exchange until(double distance) {
  return gossip::stop_at<gossip::d_psgd<>>{{}, gossip::measured::consensus_distance, distance, 2};
}

}  // namespace

TEST_CASE("a run in pieces is the run at once", "[simulator]") {
  for (some_exchange const &exchange :
       std::vector<some_exchange>{gossip::d_psgd{}, gossip::ad_psgd{}, gossip::all_reduce{},
                                  gossip::gossip_learning{}, until(0.5), until(0)})
    for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
      auto const network = network_of(exchange);
      gossip::run_settings const settings{.seed = 5, .stop = rounds{17}, .engine = engine};
      auto const whole = heard(network, settings, [](auto &run) { run.advance(); });
      check_same(whole, heard(network, settings, [](auto &run) { run.advance(rounds{1}); }));
      check_same(whole, heard(network, settings, [](auto &run) { run.advance(rounds{5}); }));
      check_same(whole, heard(network, settings, [](auto &run) { run.advance(epochs{0.3}); }));
      check_same(whole, heard(network, settings, [](auto &run) { run.advance(rounds{1000}); }));
    }
}

TEST_CASE("between its pieces a run is where a shorter run ends", "[simulator]") {
  auto const network = network_of(gossip::d_psgd{});
  auto run = network.start({.seed = 5, .stop = rounds{12}});
  CHECK(run.reached().node_iterations == 0);
  for (std::uint64_t k = 1; k <= 12; ++k) {
    CHECK(run.advance(rounds{1}) == (k < 12));
    CHECK(run.reached().node_iterations == 8 * k);
    auto const shorter = network.run({.seed = 5, .stop = rounds{k}});
    auto const now = run.report();
    CHECK(gossip::hex(now.digest) == gossip::hex(shorter.digest));
    CHECK(now.node_iterations == shorter.node_iterations);
    CHECK(now.virtual_seconds == shorter.virtual_seconds);
  }
  CHECK(run.over());
  CHECK_FALSE(run.advance(rounds{1}));
}

TEST_CASE("a run is looked at between its pieces", "[simulator]") {
  auto const network = network_of(gossip::d_psgd{});
  gossip::run_settings const settings{.seed = 5, .stop = rounds{100}};
  // quote pieces
  auto run = network.start(settings, gossip::consensus_distance{});
  while (run.advance(rounds{10})) {
    float const *const third = run.rows().parameters(3);
    if (std::abs(third[0]) > 2) break;
  }
  gossip::run_report const so_far = run.report();
  // end quote
  CHECK(so_far.node_iterations > 0);
  CHECK(so_far.node_iterations < 800);
  CHECK(so_far.node_iterations % 80 == 0);
}

TEST_CASE("a run shows the rows of its nodes", "[simulator]") {
  auto const network = network_of(gossip::d_psgd{});
  auto run = network.start({.seed = 5, .stop = rounds{12}});
  std::vector<float> before(run.rows().parameters(3), run.rows().parameters(3) + 3);
  CHECK(before == std::vector<float>{0, 0, 0});
  run.advance(rounds{6});
  std::vector<float> const after(run.rows().parameters(3), run.rows().parameters(3) + 3);
  CHECK(after != before);
}

TEST_CASE("tenths of an epoch add up to epochs", "[simulator]") {
  gossip::simulator const network{gossip::ring{4}, tiny_classifier{}, gossip::sgd{.rate = 0.1},
                                  gossip::ad_psgd{}};
  // 170 samples in batches of 4 are 42.5 node-iterations an epoch.
  auto run =
      network.start({.batch = 4, .stop = epochs{4}}, gossip::split(tiny_images(), gossip::iid{}));
  for (int tenth = 0; tenth < 20; ++tenth) run.advance(epochs{0.1});
  CHECK(run.reached().node_iterations == 85);
  for (int tenth = 0; tenth < 10; ++tenth) run.advance(epochs{0.1});
  CHECK(run.reached().node_iterations == 128);
}

TEST_CASE("another run goes on from the state between two pieces", "[simulator]") {
  for (some_exchange const &exchange : std::vector<some_exchange>{
           gossip::d_psgd{}, gossip::ad_psgd{}, gossip::gossip_learning{}, until(0)}) {
    auto const network = network_of(exchange);
    gossip::run_settings settings{.seed = 5, .stop = rounds{17}};
    auto const whole = heard(network, settings, [](auto &run) { run.advance(); });
    auto first = network.start(settings, gossip::every(rounds{3}, gossip::consensus_distance{}));
    std::vector<gossip::named_state> states{first.state()};
    while (first.advance(rounds{2})) states.push_back(first.state());
    REQUIRE(states.size() > 4);
    for (gossip::named_state const &state : states) {
      settings.state = &state;
      auto second = network.start(settings, gossip::every(rounds{3}, gossip::consensus_distance{}));
      gossip::test::check_same(second.state(), state);
      second.advance(rounds{3});
      second.advance();
      CHECK(gossip::hex(second.report().digest) == gossip::hex(whole.report.digest));
      CHECK(second.report().answers == whole.report.answers);
      CHECK(second.report().virtual_seconds == whole.report.virtual_seconds);
    }
  }
}

TEST_CASE("a run that has failed names the cause and cannot be advanced", "[simulator]") {
  gossip::simulator const network{gossip::ring{4}, valleys, gossip::sgd{.rate = 1e6},
                                  gossip::none{}};
  auto const sentence = [&](auto advance) {
    auto run = network.start({.stop = rounds{30}});
    try {
      while (advance(run)) {
      }
    } catch (gossip::diverged const &fault) {
      CHECK_THROWS_WITH(run.advance(),
                        "run: expected a run that can go on, got one that has failed");
      return std::string(fault.what());
    }
    return std::string();
  };
  std::string const at_once = sentence([](auto &run) { return run.advance(); });
  CHECK(at_once.find("made by the training of") != std::string::npos);
  CHECK(sentence([](auto &run) { return run.advance(rounds{1}); }) == at_once);
  CHECK(sentence([](auto &run) { return run.advance(rounds{2}); }) == at_once);
}

TEST_CASE("an interrupt ends a run in pieces", "[simulator]") {
  std::atomic<bool> cord{false};
  auto const network = network_of(gossip::d_psgd{});
  auto run = network.start({.stop = rounds{30}, .interrupt = &cord});
  CHECK(run.advance(rounds{2}));
  cord = true;
  CHECK_FALSE(run.advance());
  CHECK(run.over());
  CHECK(run.report().interrupted);
  CHECK_THROWS_WITH(run.state(),
                    "run: expected a run between two windows, got one that was interrupted");
}

TEST_CASE("a watch that is stopped counts no time", "[simulator]") {
  gossip::detail::stopwatch watch;
  watch.stop();
  double const stopped = watch.training();
  std::uint64_t turns = 0;
  for (auto const begin = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() == begin;)
    ++turns;
  CHECK(watch.training() == stopped);
  watch.go_on();
  CHECK(watch.training() >= stopped);
}

TEST_CASE("runs that live at the same time do not know each other", "[simulator]") {
  auto const network = network_of(gossip::ad_psgd{});
  auto const expected = network.run({.seed = 5, .stop = rounds{9}}).digest;
  std::vector<decltype(network.start({}))> runs;
  for (int k = 0; k < 3; ++k) runs.push_back(network.start({.seed = 5, .stop = rounds{9}}));
  while (!runs[0].over())
    for (auto &run : runs) run.advance(rounds{2});
  for (auto &run : runs) CHECK(gossip::hex(run.report().digest) == gossip::hex(expected));
  runs[1] = network.start({.seed = 5, .stop = rounds{9}});  // behind the run that it replaces
  runs.erase(runs.begin());
  runs[0].advance();
  CHECK(gossip::hex(runs[0].report().digest) == gossip::hex(expected));
  CHECK(gossip::hex(network.run({.seed = 5, .stop = rounds{9}}).digest) == gossip::hex(expected));
}

TEST_CASE("a last step that diverges fails a run in pieces as it does at once", "[simulator]") {
  // The loss of the only training is 1e20; the step by 1e40 is beyond float.
  gossip::simulator const network{
      gossip::complete{3},
      gossip::quadratic<2>{.curvature = {1, 1e20, 1}, .optimum = {0}, .start = 1},
      gossip::sgd{.rate = 1e20}, gossip::none{}};
  auto const expected = [&] {
    try {
      network.run({.stop = rounds{1}});
    } catch (gossip::diverged const &fault) {
      return std::string(fault.what());
    }
    return std::string("nothing");
  }();
  auto at_its_end = network.start({.stop = rounds{1}});
  CHECK_THROWS_WITH(at_its_end.advance(rounds{1}), expected);
  CHECK_THROWS_WITH(at_its_end.advance(),
                    "run: expected a run that can go on, got one that has failed");
  CHECK_THROWS_WITH(at_its_end.report(),
                    "run: expected a run that can go on, got one that has failed");
  auto within = network.start({.stop = rounds{5}});
  within.advance(rounds{1});
  CHECK_THROWS_WITH(within.report(), expected);
}

TEST_CASE("a run that is over has the state of its end", "[simulator]") {
  auto const network = network_of(gossip::ad_psgd{});
  gossip::run_settings settings{.seed = 5, .stop = rounds{9}};
  auto first = network.start(settings);
  first.advance();
  auto const state = first.state();
  settings.state = &state;
  auto second = network.start(settings);
  second.advance();
  CHECK(gossip::hex(second.report().digest) == gossip::hex(first.report().digest));
  CHECK(second.report().node_iterations == first.report().node_iterations);
}

TEST_CASE("a piece has a length", "[simulator]") {
  auto const network = network_of(gossip::d_psgd{});
  auto run = network.start({.stop = rounds{4}});
  CHECK_THROWS_WITH(run.advance(rounds{0}),
                    "run: advance: expected a length above 0, got 0 or less");
  CHECK_THROWS_WITH(run.advance(epochs{-1}),
                    "run: advance: expected a length above 0, got 0 or less");
  CHECK(run.advance(rounds{1}));
}
