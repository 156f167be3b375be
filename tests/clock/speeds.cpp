// Machines whose speed changes over virtual time: hand-made cases, and the integral of the speed
// nanosecond by nanosecond.
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/machine_speeds.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::constant_time;
using gossip::machine_speeds;
using gossip::node_clock;
using gossip::slow_node;
using gossip::virtual_time;

namespace {

/// The time of a training that begins then, with this factor in every nanosecond of its own.
template <class F>
virtual_time simulated(virtual_time usual, virtual_time begin, F factor_at) {
  double done = 0.0;
  virtual_time now = begin;
  while (done < static_cast<double>(usual.count()) - 1e-6) done += 1.0 / factor_at(now++);
  return now - begin;
}

}  // namespace

TEST_CASE("a training that spans a change of speed takes what the speeds say", "[clock]") {
  node_clock const times(
      gossip::virtual_clock{.compute = constant_time{.mean = 10ms},
                            .slow = {{.which = 1, .factor = 5, .from = 4ms, .until = 24ms},
                                     {.which = 1, .factor = 0.5, .from = 1s},
                                     {.which = 2, .factor = 3}}},
      4);
  auto const takes = [&](gossip::node i, virtual_time begin) {
    return times.compute_time(1, i, 0, begin);
  };
  CHECK(takes(1, 0ms) == 26ms);   // 4 ms at full speed, 20 ms for 4 ms, 2 ms at full speed
  CHECK(takes(1, 3ms) == 26ms);   // 1 + 20 + 5 ms
  CHECK(takes(1, 4ms) == 26ms);   // 20 + 6 ms
  CHECK(takes(1, 14ms) == 18ms);  // 10 ms for 2 ms, 8 ms
  CHECK(takes(1, 24ms) == 10ms);  // the end does not belong to it
  CHECK(takes(1, 500ms) == 10ms);
  CHECK(takes(1, 990ms) == 10ms);  // ends when it changes
  CHECK(takes(1, 996ms) == 7ms);   // 4 ms, then twice as quick
  CHECK(takes(1, 2s) == 5ms);
  CHECK(takes(0, 10ms) == 10ms);
  CHECK(takes(2, 10ms) == 30ms);
  CHECK(takes(3, 1h) == 10ms);
}

TEST_CASE("times under changing speeds are the integral of the speed", "[clock]") {
  std::vector<slow_node> const slow{{.which = 0, .factor = 4, .from = 100ns, .until = 350ns},
                                    {.which = 0, .factor = 0.5, .from = 350ns, .until = 400ns},
                                    {.which = 0, .factor = 2, .from = 600ns, .until = 1000ns}};
  machine_speeds const speeds({slow[2], slow[0], slow[1]}, 1);  // in any order
  auto const factor_at = [&](virtual_time t) {
    for (slow_node const &s : slow)
      if (t >= s.from && t < s.until) return s.factor;
    return 1.0;
  };
  for (int begin = 0; begin < 1100; begin += 7)
    for (int usual = 1; usual < 900; usual += 13) {
      auto const exact = simulated(virtual_time(usual), virtual_time(begin), factor_at);
      auto const found = speeds.stretched(virtual_time(usual), 0, virtual_time(begin));
      CAPTURE(begin, usual);
      REQUIRE(found - exact <= 0ns);  // the simulation ends with a whole nanosecond
      REQUIRE(exact - found <= 1ns);
    }
}

TEST_CASE("speeds that cannot be are refused, in a sentence", "[clock]") {
  auto const refused = [](std::vector<slow_node> slow, std::string const &sentence) {
    CHECK_THROWS_WITH(machine_speeds(std::move(slow), 2), sentence);
  };
  refused({{.which = 2, .factor = 2}}, "clock: slow node 2: expected a node below 2, got 2");
  refused({{.which = 1, .factor = 0}}, "clock: slow node 1: expected a factor above 0, got 0");
  refused({{.which = 1, .factor = 2}, {.which = 1, .factor = 3}},
          "clock: slow node 1: expected one factor of a node at a time, got two at 0ns");
  refused(
      {{.which = 1, .factor = 2, .from = 1s, .until = 3s}, {.which = 1, .factor = 3, .from = 2s}},
      "clock: slow node 1: expected one factor of a node at a time, got two at 2s");
  refused({{.which = 0, .factor = 2, .from = 1s, .until = 1s}},
          "clock: slow node 0: expected a time of at least 0ns and a later time, got 1s and 1s");
  refused({{.which = 0, .factor = 2, .from = -1s}},
          "clock: slow node 0: expected a time of at least 0ns and a later time, got -1s and "
          "9223372036854775807ns");
  CHECK(machine_speeds({}, 2).all_normal());
  machine_speeds const ends({{.which = 0, .factor = 1e9, .from = 1s}}, 1);
  CHECK_THROWS_AS(ends.stretched(virtual_time::max() / 2, 0, 0s), gossip::input_error);
}
