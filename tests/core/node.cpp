// Indices are checked where they are stored in 32 bits, and errors say what was expected.
#include <gossip/core/node.hpp>

#include <stdexcept>

#include "../catch.hpp"

using gossip::checked_index;

TEST_CASE("a size that fits 32 bits is itself", "[core]") {
  CHECK(checked_index(0, "edges") == 0);
  CHECK(checked_index(4'294'967'295, "edges") == 4'294'967'295);
}

TEST_CASE("a size beyond 32 bits is refused", "[core]") {
  CHECK_THROWS_WITH(checked_index(4'294'967'296, "edges"),
                    "edges: expected at most 4294967295 entries, got 4294967296");
  CHECK_THROWS_AS(checked_index(std::size_t{1} << 63, "edges"), gossip::input_error);
}

TEST_CASE("bad input is an error, and an error a runtime error", "[core]") {
  CHECK_THROWS_AS(throw gossip::input_error("ring", "3", "2"), gossip::error);
  CHECK_THROWS_AS(throw gossip::error("memory"), std::runtime_error);
  CHECK_THROWS_WITH(throw gossip::input_error("ring", "3", "2"), "ring: expected 3, got 2");
}

TEST_CASE("virtual time counts whole nanoseconds", "[core]") {
  CHECK(gossip::virtual_time(std::chrono::milliseconds(1)).count() == 1'000'000);
}
