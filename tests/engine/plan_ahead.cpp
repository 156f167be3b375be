// Planning on a thread of its own: order, end and failures.
#include <gossip/engine/plan_ahead.hpp>

#include <gossip/core/error.hpp>

#include "../catch.hpp"

using gossip::plan_ahead;
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

TEST_CASE("windows come in the order of the plan, and each stays until the next", "[engine]") {
  for (std::uint64_t const count : {0, 1, 2, 3, 17, 1000}) {
    plan_ahead windows(numbered(count));
    for (std::uint64_t k = 0; k < count; ++k) {
      plan_window const *const window = windows.next();
      REQUIRE(window != nullptr);
      CHECK(window->end.round == k);
    }
    CHECK(windows.next() == nullptr);
    CHECK(windows.next() == nullptr);
  }
}

TEST_CASE("a plan can be left in the middle", "[engine]") {
  for (int taken = 0; taken < 4; ++taken) {
    plan_ahead windows(numbered(1'000'000));
    for (int k = 0; k < taken; ++k) CHECK(windows.next() != nullptr);
  }
}

TEST_CASE("what the planner throws comes after the windows before it", "[engine]") {
  plan_ahead windows([next = 0](plan_window &) mutable {
    if (next++ == 2) throw gossip::error("planner: no more");
    return true;
  });
  CHECK(windows.next() != nullptr);
  CHECK(windows.next() != nullptr);
  CHECK_THROWS_WITH(windows.next(), "planner: no more");
}
