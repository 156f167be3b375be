// Planning on a thread of its own: order, limits, end and failures.
#include <gossip/plan/background_planner.hpp>

#include <gossip/core/error.hpp>
#include <gossip/plan/decision.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;
using gossip::background_planner;
using gossip::plan_window;

namespace {

// Windows numbered from 0 in the round of their end.
auto numbered(std::uint64_t count) {
  return [count, next = std::uint64_t{0}](plan_window &window, std::uint64_t) mutable {
    window.clear();
    window.end.round = next;
    return next++ < count;
  };
}

// A plan of `count` node-iterations in windows of ten, or shorter ones that end at a limit.
// planned: node-iterations planned so far.
auto counted(std::uint64_t count, std::atomic<std::uint64_t> &planned) {
  return [count, &planned](plan_window &window, std::uint64_t limit) {
    window.clear();
    std::uint64_t const before = planned;
    if (before == count) return false;
    std::uint64_t const end = std::min({before + 10, count, std::max(limit, before + 1)});
    window.end.node_iterations = end;
    if (end == count) window.observations.push_back({window.end, 0, true});
    planned = end;
    return true;
  };
}

// Whether a plan comes so far within ten seconds.
bool comes_to(std::uint64_t end, std::atomic<std::uint64_t> const &planned) {
  for (int k = 0; k < 10'000 && planned < end; ++k) std::this_thread::sleep_for(1ms);
  return planned == end;
}

// The ends of the windows that come now.
std::vector<std::uint64_t> ends_of(background_planner &windows) {
  std::vector<std::uint64_t> ends;
  while (plan_window const *const window = windows.next())
    ends.push_back(window->end.node_iterations);
  return ends;
}

}  // namespace

TEST_CASE("windows come in the order of the plan, and each stays until the next", "[plan]") {
  for (std::uint64_t const count : {0, 1, 2, 3, 17, 1000}) {
    background_planner windows(numbered(count));
    for (std::uint64_t k = 0; k < count; ++k) {
      plan_window const *const window = windows.next();
      REQUIRE(window != nullptr);
      CHECK(window->end.round == k);
    }
    CHECK(windows.next() == nullptr);
    CHECK(windows.next() == nullptr);
    CHECK(windows.planning_seconds() > 0);
  }
}

TEST_CASE("a window that asks is planned, and none behind it, until it is answered", "[plan]") {
  std::atomic<std::uint64_t> answers = 0;
  background_planner windows([&answers, next = 0](plan_window &window, std::uint64_t) mutable {
    window.clear();
    window.end.round = answers;
    if (next < 3) window.asks = gossip::measured::consensus_distance;
    return next++ < 4;
  });
  for (std::uint64_t k = 0; k < 4; ++k) {
    plan_window const *const window = windows.next();
    REQUIRE(window != nullptr);
    CHECK(window->end.round == k);
    if (!window->asks) continue;
    ++answers;
    windows.answered();
  }
  CHECK(windows.next() == nullptr);
}

TEST_CASE("a plan can be left in the middle", "[plan]") {
  for (int taken = 0; taken < 4; ++taken) {
    background_planner windows(numbered(1'000'000));
    for (int k = 0; k < taken; ++k) CHECK(windows.next() != nullptr);
  }
}

TEST_CASE("what the planner throws comes after the windows before it", "[plan]") {
  background_planner windows([next = 0](plan_window &, std::uint64_t) mutable {
    if (next++ == 2) throw gossip::error("planner: no more");
    return true;
  });
  CHECK(windows.next() != nullptr);
  CHECK(windows.next() != nullptr);
  CHECK_THROWS_WITH(windows.next(), "planner: no more");
}

TEST_CASE("a plan goes to its limit and no further, until the limit is raised", "[plan]") {
  using list = std::vector<std::uint64_t>;
  std::atomic<std::uint64_t> planned = 0;
  background_planner windows(counted(60, planned), 25);
  windows.go_on_to(5);  // no limit is lowered
  CHECK(ends_of(windows) == list{10, 20, 25});
  CHECK(windows.next() == nullptr);
  CHECK_FALSE(windows.over());
  CHECK(planned == 25);
  std::this_thread::sleep_for(5ms);  // the thread waits by now
  windows.go_on_to(26);
  CHECK(comes_to(26, planned));
  CHECK(ends_of(windows) == list{26});
  windows.go_on_to(46);
  plan_window const *const first = windows.next();
  REQUIRE(first != nullptr);
  CHECK(first->end.node_iterations == 36);
  REQUIRE(windows.next() != nullptr);
  CHECK_FALSE(windows.over());
  CHECK(windows.next() == nullptr);
  CHECK(planned == 46);
  windows.go_on_to(plan_window::no_limit);
  CHECK(ends_of(windows) == list{56, 60});
  CHECK(windows.over());
  CHECK(windows.next() == nullptr);
}

TEST_CASE("windows come in the order of a plan that goes on in pieces", "[plan]") {
  std::atomic<std::uint64_t> planned = 0;
  background_planner windows(counted(50'000, planned), 0);
  for (std::uint64_t end = 0; !windows.over();) {
    while (plan_window const *const window = windows.next())
      REQUIRE(window->end.node_iterations == (end += 10));
    windows.go_on_to(end + 100);
  }
  CHECK(planned == 50'000);
}

TEST_CASE("a plan is over with its last window, whatever the limit", "[plan]") {
  for (std::uint64_t const limit : {std::uint64_t{20}, std::uint64_t{99}, plan_window::no_limit}) {
    std::atomic<std::uint64_t> planned = 0;
    background_planner windows(counted(20, planned), limit);
    REQUIRE(windows.next() != nullptr);
    CHECK(comes_to(20, planned));
    std::this_thread::sleep_for(5ms);
    CHECK_FALSE(windows.over());
    REQUIRE(windows.next() != nullptr);
    CHECK(windows.over());
    CHECK(windows.next() == nullptr);
    CHECK(windows.over());
  }
}

TEST_CASE("nothing is planned up to a limit that is reached as a plan begins", "[plan]") {
  std::atomic<std::uint64_t> planned = 0;
  background_planner windows(counted(60, planned), 0);
  CHECK(windows.next() == nullptr);
  CHECK_FALSE(windows.over());
  CHECK(planned == 0);
  windows.go_on_to(1);
  REQUIRE(windows.next() != nullptr);
  CHECK(planned == 1);
}

TEST_CASE("a window at the limit may ask", "[plan]") {
  std::atomic<std::uint64_t> planned = 0;
  background_planner windows(
      [&planned, next = counted(30, planned)](plan_window &window, std::uint64_t limit) {
        bool const more = next(window, limit);
        window.asks.reset();
        if (more && window.end.node_iterations < 30) window.asks = gossip::measured::accuracy;
        return more;
      },
      10);
  REQUIRE(windows.next() != nullptr);
  CHECK(windows.next() == nullptr);
  windows.go_on_to(30);
  CHECK(planned == 10);  // no answer yet
  windows.answered();
  REQUIRE(windows.next() != nullptr);
  CHECK(planned == 20);
  windows.answered();
  REQUIRE(windows.next() != nullptr);
  CHECK(windows.over());
}

TEST_CASE("a plan can be left at a limit, and while it goes on", "[plan]") {
  for (int taken = 0; taken < 4; ++taken)
    for (bool const goes_on : {false, true}) {
      std::atomic<std::uint64_t> planned = 0;
      background_planner windows(counted(1'000'000, planned), 20);
      for (int k = 0; k < taken; ++k) CHECK((windows.next() != nullptr) == (k < 2));
      if (goes_on) windows.go_on_to(plan_window::no_limit);
    }
}

TEST_CASE("what the planner throws behind a limit comes when the limit is raised", "[plan]") {
  std::atomic<std::uint64_t> planned = 0;
  background_planner windows(
      [next = counted(60, planned)](plan_window &window, std::uint64_t limit) {
        if (limit > 20) throw gossip::error("planner: no more");
        return next(window, limit);
      },
      20);
  using list = std::vector<std::uint64_t>;
  CHECK(ends_of(windows) == list{10, 20});
  windows.go_on_to(21);
  CHECK_THROWS_WITH(windows.next(), "planner: no more");
  CHECK_FALSE(windows.over());
  CHECK_THROWS_WITH(windows.next(), "planner: no more");
}
