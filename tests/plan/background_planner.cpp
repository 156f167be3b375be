// Planning on a thread of its own: order, end and failures.
#include <gossip/plan/background_planner.hpp>

#include <gossip/core/error.hpp>
#include <gossip/plan/decision.hpp>

#include <atomic>
#include <cstdint>

#include "../catch.hpp"

using gossip::background_planner;
using gossip::plan_window;

namespace {

// Windows numbered from 0 in the round of their end.
auto numbered(std::uint64_t count) {
  return [count, next = std::uint64_t{0}](plan_window &window) mutable {
    window.clear();
    window.end.round = next;
    return next++ < count;
  };
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
  background_planner windows([&answers, next = 0](plan_window &window) mutable {
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
  background_planner windows([next = 0](plan_window &) mutable {
    if (next++ == 2) throw gossip::error("planner: no more");
    return true;
  });
  CHECK(windows.next() != nullptr);
  CHECK(windows.next() != nullptr);
  CHECK_THROWS_WITH(windows.next(), "planner: no more");
}
