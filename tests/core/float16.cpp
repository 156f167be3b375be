#include <gossip/core/float16.hpp>
#include <gossip/core/random.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

/// Numbers where rounding has something to decide: around every number of the format, and random.
template <class Format>
std::vector<float> numbers() {
  std::vector<float> all;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    float const x = Format{static_cast<std::uint16_t>(bits)};
    if (!std::isfinite(x)) continue;
    float const next = Format{static_cast<std::uint16_t>((bits & 0x7fff) + 1)};
    float const middle = std::copysign((std::abs(x) + next) / 2, x);
    for (float const centre : {x, middle})
      for (float const to : {-1e30F, centre, 1e30F}) all.push_back(std::nextafter(centre, to));
  }
  keyed_random random(1, purpose::user, 0, 0);
  for (int i = 0; i < 1'000'000; ++i) {
    std::uint32_t const bits = random.bits();
    float x;
    std::memcpy(&x, &bits, sizeof x);
    all.push_back(x);
  }
  return all;
}

bool same(double a, double b) {
  return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b);
}

}  // namespace

TEST_CASE("every number of 16 bits survives the way to float and back", "[core]") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto const pattern = static_cast<std::uint16_t>(bits);
    if (!std::isnan(static_cast<float>(fp16{pattern}))) {
      REQUIRE(fp16::holding(fp16{pattern}).bits == pattern);
      REQUIRE(same(rounded<fp16>(static_cast<float>(fp16{pattern})), fp16{pattern}));
    }
    if (!std::isnan(static_cast<float>(bf16{pattern}))) {
      REQUIRE(bf16::holding(bf16{pattern}).bits == pattern);
      REQUIRE(same(rounded<bf16>(static_cast<float>(bf16{pattern})), bf16{pattern}));
    }
  }
  STATIC_REQUIRE(static_cast<float>(fp16{0x7bff}) == 65504.0F);
  STATIC_REQUIRE(static_cast<float>(fp16{0x0001}) == 0x1p-24F);
  STATIC_REQUIRE(static_cast<float>(bf16{0x3f80}) == 1.0F);
}

#ifdef __FLT16_MANT_DIG__
TEST_CASE("binary16 is what the compiler's own _Float16 is", "[core]") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto const pattern = static_cast<std::uint16_t>(bits);
    _Float16 theirs;
    std::memcpy(&theirs, &pattern, sizeof theirs);
    REQUIRE(same(fp16{pattern}, static_cast<float>(theirs)));
  }
  for (float const x : numbers<fp16>()) {
    REQUIRE(same(rounded<fp16>(x), static_cast<float>(static_cast<_Float16>(x))));
    REQUIRE(same(rounded<fp16>(static_cast<double>(x)),
                 static_cast<double>(static_cast<_Float16>(static_cast<double>(x)))));
  }
}
#endif

TEST_CASE("rounding to bf16 takes the nearest number, of two the even one", "[core]") {
  float const largest = bf16{0x7f7f};
  for (float const x : numbers<bf16>()) {
    float const got = rounded<bf16>(x);
    if (std::isnan(x)) {
      REQUIRE(std::isnan(got));
      continue;
    }
    REQUIRE(same(rounded<bf16>(static_cast<double>(x)), got));
    // The neighbours by truncation, in double so that nothing overflows.
    bf16 const lower = bf16::holding(x);
    double const beyond = 0x1p128;
    double const a = std::abs(static_cast<double>(static_cast<float>(lower)));
    double const b = a >= static_cast<double>(largest)
                         ? beyond
                         : std::abs(static_cast<double>(static_cast<float>(
                               bf16{static_cast<std::uint16_t>(lower.bits + 1)})));
    double const size = std::abs(static_cast<double>(x));
    bool const up = size - a > b - size || (size - a == b - size && (lower.bits & 1) != 0);
    double const expected = std::isinf(x) ? static_cast<double>(x) : up ? b : a;
    double const as_float = expected == beyond ? std::numeric_limits<double>::infinity() : expected;
    REQUIRE(std::abs(static_cast<double>(got)) == std::abs(as_float));
    REQUIRE(std::signbit(got) == std::signbit(x));
  }
}

TEMPLATE_TEST_CASE("rounding at random is right on average and leaves numbers of the format alone",
                   "[core]", fp16, bf16) {
  for (float const x : {1.0F, -0.37F, 3.1415927F, 6.1e-5F, 6.0e-5F, -1.3e-6F, 2.9e-8F, 1024.5F}) {
    double sum = 0;
    float lowest = 1e30F, highest = -1e30F;
    for (std::uint32_t r = 0; r < 0x10000; ++r) {
      float const got = rounded_at_random<TestType>(x, static_cast<std::uint16_t>(r));
      REQUIRE(got == rounded<TestType>(got));
      sum += static_cast<double>(got);
      lowest = std::min(lowest, got);
      highest = std::max(highest, got);
    }
    CAPTURE(x);
    CHECK(lowest <= x);
    CHECK(x <= highest);
    double const apart = static_cast<double>(highest) - static_cast<double>(lowest);
    CHECK(std::abs(sum / 65536 - static_cast<double>(x)) <= apart * 0x1p-16);
    float const kept = rounded<TestType>(x);
    for (std::uint32_t r = 0; r < 0x10000; r += 257)
      REQUIRE(rounded_at_random<TestType>(kept, static_cast<std::uint16_t>(r)) == kept);
  }
}
