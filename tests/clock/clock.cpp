// The virtual clock: closed forms, statistics, purity, and what it refuses.
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>

#include <cmath>
#include <limits>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::constant_time;
using gossip::input_error;
using gossip::lognormal_time;
using gossip::node;
using gossip::node_clock;
using gossip::virtual_time;

namespace {

struct statistics {
  double mean;
  double cv;
};

template <class Model>
statistics measured(Model const &model, int draws) {
  auto const prepared = model.prepare();
  double sum = 0.0, squares = 0.0;
  for (int k = 0; k < draws; ++k) {
    auto const x = static_cast<double>(
        prepared.duration(3, static_cast<node>(k % 10), static_cast<std::uint64_t>(k / 10))
            .count());
    sum += x;
    squares += x * x;
  }
  double const mean = sum / draws;
  return {mean, std::sqrt(squares / draws - mean * mean) / mean};
}

// The model in the contract, clock/clock.hpp.
struct alternating_time {
  virtual_time short_one{1'000'000}, long_one{3'000'000};  // nanoseconds
  virtual_time duration(std::uint64_t, node, std::uint64_t step) const {
    return step % 2 == 0 ? short_one : long_one;
  }
};

}  // namespace

TEST_CASE("log-normal durations have the mean and the variation asked for", "[clock]") {
  constexpr int draws = 200'000;
  for (double const cv : {0.0, 0.1, 0.5, 1.0}) {
    auto const [mean, measured_cv] = measured(lognormal_time{.mean = 10ms, .cv = cv}, draws);
    // The mean of 200,000 draws varies by cv / sqrt(draws); five of those.
    CHECK(mean == Approx(1e7).epsilon(5.0 * cv / std::sqrt(draws) + 1e-9));
    CHECK(measured_cv == Approx(cv).epsilon(0.04).margin(1e-6));
  }
}

TEST_CASE("the logarithm of a log-normal duration is normal", "[clock]") {
  auto const draws = lognormal_time{.mean = 1s, .cv = 0.5}.prepare();
  double const variance = std::log(1.25);
  CHECK(draws.sigma == Approx(std::sqrt(variance)).epsilon(1e-14));
  CHECK(draws.median == Approx(1e9 * std::exp(-variance / 2)).epsilon(1e-14));
  int within = 0;
  for (std::uint64_t step = 0; step < 10'000; ++step) {
    auto const time = static_cast<double>(draws.duration(1, 0, step).count());
    within += std::fabs(std::log(time / draws.median)) < draws.sigma;
  }
  CHECK(within == Approx(6827).margin(5 * 46.5));  // binomial
}

TEST_CASE("a duration depends on its key alone and on all of it", "[clock]") {
  lognormal_time const model{};
  virtual_time const first = model.duration(1, 2, 3);
  model.duration(9, 9, 9);
  CHECK(model.duration(1, 2, 3) == first);
  CHECK(model.prepare().duration(1, 2, 3) == first);
  CHECK(model.duration(2, 2, 3) != first);
  CHECK(model.duration(1, 3, 3) != first);
  CHECK(model.duration(1, 2, 4) != first);
}

TEST_CASE("durations are at least a nanosecond", "[clock]") {
  auto const draws = lognormal_time{.mean = 1ns, .cv = 2.0}.prepare();
  for (std::uint64_t step = 0; step < 1000; ++step) CHECK(draws.duration(1, 0, step) >= 1ns);
  node_clock const quick(
      gossip::virtual_clock{.compute = constant_time{.mean = 5ns}, .slow = {{0, 0.01}}}, 1);
  CHECK(quick.compute_time(1, 0, 0) == 1ns);
}

TEST_CASE("slow nodes take their factor as long, the others do not", "[clock]") {
  gossip::virtual_clock const recipe{
      .compute = constant_time{.mean = 10ms},
      .slow = {{.which = 3, .factor = 10.0}, {.which = 0, .factor = 0.5}}};
  node_clock const times(recipe, 5);
  CHECK(times.compute_time(1, 0, 7) == 5ms);
  CHECK(times.compute_time(1, 1, 7) == 10ms);
  CHECK(times.compute_time(1, 3, 7) == 100ms);
  node_clock const plain(gossip::virtual_clock{.compute = lognormal_time{}}, 5);
  node_clock const slowed(gossip::virtual_clock{.compute = lognormal_time{}, .slow = {{2, 3.0}}},
                          5);
  CHECK(slowed.compute_time(1, 1, 4) == plain.compute_time(1, 1, 4));
  CHECK(slowed.compute_time(1, 2, 4) == 3 * plain.compute_time(1, 2, 4));
}

TEST_CASE("a model without the optional members is enough for a clock", "[clock]") {
  node_clock const times(gossip::virtual_clock{.compute = alternating_time{}}, 2);
  CHECK(times.compute_time(1, 0, 0) == 1ms);
  CHECK(times.compute_time(1, 0, 1) == 3ms);
}

TEST_CASE("a transfer takes the latency and the size over the bandwidth", "[clock]") {
  node_clock const times(gossip::virtual_clock{.compute = constant_time{}}, 2);
  CHECK(times.transfer_time(0) == 25us);
  CHECK(times.transfer_time(2'800'000) == 25us + 1ms);
  CHECK(times.transfer_time(1) == 25us);  // 0.36 ns
  CHECK(times.transfer_time(4 * 431'080) == 640'829ns);
  gossip::link const ideal{.latency = 0ns, .bandwidth = std::numeric_limits<double>::infinity()};
  CHECK(ideal.transfer(1'000'000) == 0ns);
}

TEST_CASE("a clock refuses what cannot be, in a sentence", "[clock]") {
  auto const with = [](lognormal_time model) {
    node_clock(gossip::virtual_clock{.compute = model}, 2);
  };
  CHECK_THROWS_WITH(with({.mean = 0ns}), "lognormal_time: mean: expected at least 1 ns, got 0 ns");
  CHECK_THROWS_WITH(with({.cv = -0.1}),
                    "lognormal_time: cv: expected a number from 0 to 1000, got -0.1");
  CHECK_THROWS_AS(with({.cv = std::numeric_limits<double>::quiet_NaN()}), input_error);
  CHECK_THROWS_WITH(node_clock(gossip::virtual_clock{.compute = constant_time{.mean = -1ns}}, 2),
                    "constant_time: mean: expected at least 1 ns, got -1 ns");
  constant_time const ten{};
  CHECK_THROWS_WITH(
      node_clock(gossip::virtual_clock{.compute = ten, .network = {.latency = -1ns}}, 2),
      "link: latency: expected at least 0 ns, got -1 ns");
  CHECK_THROWS_WITH(
      node_clock(gossip::virtual_clock{.compute = ten, .network = {.bandwidth = 0.0}}, 2),
      "link: bandwidth: expected more than 0 bytes a second, got 0");
  CHECK_THROWS_WITH(
      node_clock(gossip::virtual_clock{.compute = ten, .slow = {{.which = 2, .factor = 2}}}, 2),
      "clock: slow node 2: expected a node below 2, got 2");
  CHECK_THROWS_WITH(
      node_clock(gossip::virtual_clock{.compute = ten, .slow = {{.which = 1, .factor = 0}}}, 2),
      "clock: slow node 1: expected a factor above 0, got 0");
  CHECK_THROWS_WITH(
      node_clock(gossip::virtual_clock{.compute = ten, .slow = {{1, 2.0}, {1, 3.0}}}, 2),
      "clock: slow node 1: expected one factor of a node at a time, got two at 0ns");
}

TEST_CASE("a model's own times of less than a nanosecond are refused by node and step", "[clock]") {
  struct own_time {
    std::int64_t at_step_3;
    virtual_time duration(std::uint64_t, node, std::uint64_t step) const {
      return virtual_time(step == 3 ? at_step_3 : 7);
    }
  };
  for (std::int64_t const bad : {-5, 0}) {
    node_clock clock(gossip::virtual_clock{.compute = own_time{bad}}, 3);
    CHECK(clock.next_time(1, 2, 2, 0ns) == 7ns);
    std::string const sentence =
        "clock: compute time of node 2, step 3: expected at least 1 ns, got " +
        std::to_string(bad) + " ns";
    CHECK_THROWS_WITH(clock.compute_time(1, 2, 3), sentence);
    CHECK_THROWS_WITH(clock.next_time(1, 2, 3, 0ns), sentence);
    node_clock const slow(
        gossip::virtual_clock{.compute = own_time{bad}, .slow = {{.which = 0, .factor = 2}}}, 3);
    CHECK_THROWS_WITH(slow.compute_time(1, 2, 3), sentence);
  }
}

TEST_CASE("times beyond 292 years are refused", "[clock]") {
  node_clock const slow(gossip::virtual_clock{.compute = constant_time{}, .slow = {{0, 1e12}}}, 1);
  CHECK_THROWS_WITH(slow.compute_time(1, 0, 0),
                    "clock: compute time: expected a time of 0 to 292 years (2^63 ns), got "
                    "1e+10 s");
  gossip::link const crawl{.bandwidth = 1e-3};
  CHECK(crawl.transfer(1000) == 1'000'000s + 25us);
  CHECK_THROWS_AS(crawl.transfer(std::size_t{1} << 40), input_error);
  lognormal_time const wild{.mean = virtual_time::max(), .cv = 1.0};
  CHECK_THROWS_AS(
      [&] {
        for (std::uint64_t step = 0; step < 1000; ++step) wild.duration(1, 0, step);
      }(),
      input_error);
}
