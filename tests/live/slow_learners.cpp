// Learners that are slowed down: which of them may be.
#include <gossip/live/run.hpp>

#include <chrono>

#include "../catch.hpp"

using namespace std::chrono_literals;

TEST_CASE("a learner is slow from its start to its end, or not at all", "[live]") {
  auto const factor_of = [](gossip::slow_node const &slow, std::size_t rank) {
    gossip::live::options o;
    o.slow = {slow};
    return gossip::live::detail::pace_of(o, rank, 2).factor;
  };
  CHECK(factor_of({.which = 1, .factor = 3}, 1) == 3.0);
  CHECK(factor_of({.which = 1, .factor = 3}, 0) == 1.0);
  CHECK_THROWS_WITH(factor_of({.which = 2, .factor = 3}, 0),
                    "live: slow learner: expected a rank below 2, got 2");
  for (gossip::slow_node const &slow : {gossip::slow_node{.which = 1, .factor = 3, .from = 1s},
                                        {.which = 1, .factor = 3, .until = 1s}})
    CHECK_THROWS_WITH(factor_of(slow, 0),
                      "live: slow learner: expected a learner that is slow from its start to its "
                      "end, got a learner with from or until");
}
