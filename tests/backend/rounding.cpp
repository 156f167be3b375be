// The processor's conversions against the rounding written out, to the last bit.
#include <gossip/backend/cpu/rounding.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gossip/backend/cpu/denormals.hpp>

#include "../catch.hpp"

namespace {

/// Numbers of all signs, exponents and first digits, what is not a number too, in packs that mix
/// them and in packs that do not; the last pack is not whole.
std::vector<float> numbers(std::uint32_t step) {
  std::vector<float> all;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 40'961)
    all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits * step)));
  all.push_back(1.0F / 3);
  return all;
}

std::uint32_t bits_of(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

/// To fp16 as gossip::rounded. To bf16 as Intel's manual describes VCVTNEPS2BF16: numbers below the
/// normal ones become zeros, what is not a number loses its last 16 digits and is made quiet.
template <class Format>
std::uint32_t expected(float x) {
  if (std::is_same_v<Format, gossip::bf16> && std::isnan(x))
    return (bits_of(x) >> 16 | 0x40U) << 16;
  if (std::is_same_v<Format, gossip::bf16> && (bits_of(x) & 0x7f80'0000U) == 0)
    return bits_of(x) & 0x8000'0000U;
  return bits_of(gossip::rounded<Format>(x));
}

template <class Format>
void check() {
  for (std::uint32_t const step : {1U, 0x9E3779B1U}) {
    auto const before = numbers(step);
    REQUIRE(before.size() % gossip::host::pack_size<float> != 0);
    auto got = before;
    gossip::host::round_numbers<Format>(got.data(), got.size());
    std::size_t different = 0, emulated = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      different += bits_of(got[i]) != expected<Format>(before[i]);
      emulated += bits_of(got[i]) != bits_of(gossip::host::converted<Format>(before[i]));
    }
    CHECK(different == 0);
    CHECK(emulated == 0);
  }
}

}  // namespace

TEST_CASE("a processor's conversions round as every processor does", "[backend]") {
  check<gossip::bf16>();
  check<gossip::fp16>();
}

TEST_CASE("so they do where a run flushes denormals", "[backend]") {
  gossip::flushed_denormals const flushed;
  check<gossip::bf16>();
  check<gossip::fp16>();
}
