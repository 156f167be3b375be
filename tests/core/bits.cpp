#include <gossip/core/bits.hpp>

#include <bit>
#include <cstdint>

#include "../catch.hpp"

TEST_CASE("bits are counted as the standard library counts them on a host", "[core]") {
  auto const check = [](std::uint64_t number) {
    CAPTURE(number);
    CHECK(gossip::bit_width(number) == static_cast<unsigned>(std::bit_width(number)));
    CHECK(gossip::bit_floor(number) == std::bit_floor(number));
    CHECK(gossip::bit_count(number) == static_cast<unsigned>(std::popcount(number)));
    CHECK(gossip::trailing_ones(number) == static_cast<unsigned>(std::countr_one(number)));
    if (number <= std::uint64_t{1} << 63) CHECK(gossip::bit_ceil(number) == std::bit_ceil(number));
  };
  check(0);
  for (unsigned shift = 0; shift < 64; ++shift)
    for (std::uint64_t const lower : {0, 1, 2, 5}) {
      std::uint64_t const power = std::uint64_t{1} << shift;
      check(power - lower);
      check(power + lower);
    }
}
