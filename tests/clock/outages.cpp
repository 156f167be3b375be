// Times at which nodes are up: hand-made cases, distributions, and work nanosecond by nanosecond.
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/outages.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::constant_time;
using gossip::node;
using gossip::node_clock;
using gossip::outage;
using gossip::outages;
using gossip::up_times;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

bool is_up(up_times const &up, node i, virtual_time t) {
  return up.up_from(i, t) == t;
}

/// The end of work from t on, done in the nanoseconds at which the node is up.
virtual_time worked(up_times const &up, node i, virtual_time t, virtual_time work) {
  for (; work > virtual_time(0); ++t) work -= virtual_time(is_up(up, i, t) ? 1 : 0);
  return t;
}

}  // namespace

TEST_CASE("a node works while it is up", "[clock]") {
  outages const down{.listed = {{.which = 1, .from = 10ms, .until = 20ms},
                                {.which = 1, .from = 30ms, .until = 35ms},
                                {.which = 1, .from = 35ms, .until = 40ms},
                                {.which = 1, .from = 33ms, .until = 36ms},
                                {.which = 2, .from = 0ms, .until = 7ms}}};
  node_clock const times(virtual_clock{.compute = constant_time{.mean = 10ms}, .outages = down}, 4);
  auto const takes = [&](node i, virtual_time begin) { return times.compute_time(1, i, 0, begin); };
  CHECK(takes(1, 0ms) == 10ms);
  CHECK(takes(1, 5ms) == 20ms);   // 5, rest of 10, 5
  CHECK(takes(1, 12ms) == 18ms);  // from 20 to 30
  CHECK(takes(1, 25ms) == 20ms);  // 5, rest of 10 in three parts that meet, 5
  CHECK(takes(1, 15ms) == 15ms);
  CHECK(takes(1, 40ms) == 10ms);
  CHECK(takes(2, 0ms) == 17ms);
  CHECK(takes(0, 0ms) == 10ms);

  up_times const up(down, 4, 1);
  CHECK_FALSE(up.always());
  CHECK(up.up_from(1, 10ms) == 20ms);
  CHECK(up.up_from(1, 20ms) == 20ms);
  CHECK(up.both_up(1, 2, 0ms) == 7ms);
  CHECK(up.both_up(2, 1, 12ms) == 20ms);
  CHECK(up.both_up(1, 0, 32ms) == 40ms);
  CHECK(up.both_up(1, 9, 32ms) == 40ms);  // a server
  CHECK(up.up_from(9, 5ms) == 5ms);
  CHECK(up_times({}, 4, 1).always());
}

TEST_CASE("rests of all kinds together are those of every nanosecond", "[clock]") {
  outages const down{.listed = {{0, 100ns, 170ns}, {2, 20ns, 60ns}, {2, 500ns, 900ns}},
                     .churn = {.up = 90ns, .down = 40ns},
                     .nights = {.day = 131ns, .down = 37ns}};
  up_times const up(down, 3, 7);
  for (node i = 0; i < 3; ++i)
    for (virtual_time t{0}; t < 600ns; t += 13ns)
      for (virtual_time const work : {1ns, 17ns, 230ns}) {
        CAPTURE(i, t.count(), work.count());
        // Both end where the last nanosecond of work does.
        CHECK(up.after(i, t, work) == worked(up, i, t, work));
      }
  // In another order, and from another object: the same times.
  up_times const again(down, 3, 7);
  for (virtual_time t = 5000ns; t > 0ns; t -= 111ns)
    for (node i = 0; i < 3; ++i) CHECK(again.up_from(i, t) == up.up_from(i, t));
}

TEST_CASE("times up and down of churn are exponential", "[clock]") {
  constexpr std::size_t nodes = 20'000;
  up_times const up({.churn = {.up = 3s, .down = 1s}}, nodes, 11);
  std::size_t first_beyond_mean = 0, up_late = 0;
  double first = 0.0, down_time = 0.0;
  for (node i = 0; i < nodes; ++i) {
    // The end of work that begins at 0 and is longer than the first time up rests there.
    virtual_time low{0}, high = 200s;
    while (high - low > 1us) {
      virtual_time const middle = low + (high - low) / 2;
      (up.after(i, 0ns, middle) == middle ? low : high) = middle;
    }
    double const seconds = static_cast<double>(low.count()) * 1e-9;
    first += seconds / nodes;
    first_beyond_mean += seconds > 3.0;
    down_time += static_cast<double>((up.up_from(i, high) - high).count()) * 1e-9 / nodes;
    up_late += is_up(up, i, 1000s);
  }
  double const deviation = 1.0 / std::sqrt(static_cast<double>(nodes));
  CHECK(std::abs(first - 3.0) < 4 * 3.0 * deviation);
  CHECK(std::abs(down_time - 1.0) < 4 * 1.0 * deviation);
  double const beyond = std::exp(-1.0), share = 0.75;  // up / (up + down) in the long run
  CHECK(std::abs(static_cast<double>(first_beyond_mean) / nodes - beyond) <
        4 * deviation * std::sqrt(beyond * (1 - beyond)));
  CHECK(std::abs(static_cast<double>(up_late) / nodes - share) <
        4 * deviation * std::sqrt(share * (1 - share)));
}

TEST_CASE("nights have their length, and begin at all hours", "[clock]") {
  constexpr std::size_t nodes = 5'000;
  up_times const up({.nights = {.day = 24h, .down = 6h}}, nodes, 3);
  std::size_t down_at_noon = 0;
  for (node i = 0; i < nodes; ++i) {
    down_at_noon += !is_up(up, i, 12h);
    // 18 hours of work a day, wherever one begins.
    CHECK(up.after(i, 5h, 18h * 9) - up.up_from(i, 5h) <= 24h * 9);
    virtual_time const dusk = up.after(i, up.up_from(i, 5h), 18h + 1ns) - 6h - 1ns;
    CHECK(up.up_from(i, dusk + 24h * 4) - (dusk + 24h * 4) <= 6h);
  }
  CHECK(std::abs(static_cast<double>(down_at_noon) / nodes - 0.25) <
        4 * std::sqrt(0.25 * 0.75 / nodes));
}

TEST_CASE("outages move no draw of a training's own time", "[clock]") {
  virtual_clock<gossip::lognormal_time> calm, rough;
  rough.outages.churn = {.up = 1s, .down = 50ms};
  node_clock const without(calm, 6), with(rough, 6);
  std::size_t longer = 0;
  for (node i = 0; i < 6; ++i)
    for (std::uint64_t step = 0; step < 200; ++step) {
      virtual_time const begin = 15ms * static_cast<int>(step);
      virtual_time const own = without.compute_time(9, i, step, begin);
      virtual_time const takes = with.compute_time(9, i, step, begin);
      CHECK(takes >= own);
      longer += takes > own;
    }
  CHECK(longer > 20);
  CHECK(longer < 600);
}

TEST_CASE("outages that cannot be are refused", "[clock]") {
  auto const refused = [](outages const &down, std::string const &sentence) {
    CHECK_THROWS_WITH(up_times(down, 4, 1), sentence);
  };
  refused({.listed = {{4, 1s, 2s}}}, "clock: outage of node 4: expected a node below 4, got 4");
  refused(
      {.listed = {{1, 2s, 2s}}},
      "clock: outage of node 1: expected a time of at least 0ns and a later time, got 2s and 2s");
  refused({.churn = {.up = 0s, .down = 1s}}, "clock: churn: up: expected at least 1ns, got 0ns");
  refused({.churn = {.down = -1s}}, "clock: churn: down: expected 0s or more, got -1s");
  refused({.nights = {.day = 1h, .down = 1h}},
          "clock: nights: down: expected less than the day's 3600s, got 3600s");
  // Nodes that are never up together, each in half of a day.
  up_times const apart({.listed = {{0, 0ns, 10ns}}}, 2, 1);
  CHECK(apart.both_up(0, 1, 0ns) == 10ns);
}

TEST_CASE("owners reach each other but across a cut", "[clock]") {
  outages const cut{.listed = {{.which = 3, .from = 22ms, .until = 30ms}},
                    .cuts = {{{0, 2}, 10ms, 20ms}, {{2}, 20ms, 25ms}, {{0, 1, 2, 3}, 1s, 2s}}};
  up_times const up(cut, 4, 1);
  CHECK_FALSE(up.always());
  CHECK(up.up_from(0, 15ms) == 15ms);  // nodes work on
  CHECK(up.after(0, 5ms, 20ms) == 25ms);
  CHECK(up.both_up(0, 1, 9ms) == 9ms);
  CHECK(up.both_up(0, 1, 10ms) == 20ms);
  CHECK(up.both_up(1, 0, 19ms) == 20ms);
  CHECK(up.both_up(0, 2, 15ms) == 15ms);  // the same side
  CHECK(up.both_up(1, 3, 15ms) == 15ms);
  CHECK(up.both_up(2, 1, 15ms) == 25ms);  // one cut after another
  CHECK(up.both_up(2, 3, 15ms) == 30ms);  // and then an outage
  CHECK(up.both_up(0, 4, 1500ms) == 2s);  // a server is on the other side
  CHECK(up.both_up(0, 3, 1500ms) == 1500ms);
}

TEST_CASE("cuts of nodes and times that cannot be are refused", "[clock]") {
  CHECK_THROWS_WITH(up_times(outages{.cuts = {{{1, 4}, 0ms, 1ms}}}, 4, 1),
                    "clock: cut: expected nodes below 4, got 4");
  CHECK_THROWS_WITH(
      up_times(outages{.cuts = {{{1}, 2ms, 1ms}}}, 4, 1),
      "clock: cut: expected a time of at least 0ns and a later time, got 2ms and 1ms");
}

TEST_CASE("a node that is down for good is never back", "[clock]") {
  outages const down{
      .listed = {{.which = 1, .from = 5ms, .until = 8ms}, {.which = 1, .from = 20ms}},
      .churn = {.up = 1h, .down = 1ns}};
  up_times const up(down, 4, 1);
  CHECK(up.up_from(1, 5ms) == 8ms);
  CHECK(up.up_from(1, 19ms) == 19ms);
  for (auto const t : {20ms, 21ms, 1000000ms}) {
    CHECK(up.up_from(1, t) == up_times::never);
    CHECK(up.both_up(1, 2, t) == up_times::never);
    CHECK(up.both_up(2, 1, t) == up_times::never);
    CHECK(up.after(1, t, 1ns) == up_times::never);
  }
  CHECK(up.after(1, 0ms, 17ms) == 20ms);
  CHECK(up.after(1, 0ms, 17ms + 1ns) == up_times::never);
  CHECK(up.crashes(1));
  CHECK_FALSE(up.crashes(2));
  CHECK_FALSE(up.crashes(4));  // a server

  node_clock const times(virtual_clock{.compute = constant_time{.mean = 10ms}, .outages = down}, 4);
  CHECK(times.compute_time(1, 1, 0, 10ms) == 10ms);
  CHECK(times.compute_time(1, 1, 0, 10ms + 1ns) == up_times::never);
}
