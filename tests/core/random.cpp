// Random numbers: the published vectors of Philox, streams that never meet, and distributions.
#include <gossip/core/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../catch.hpp"

using gossip::keyed_random;
using gossip::philox;
using gossip::philox_counter;
using gossip::purpose;

namespace {

constexpr int purposes = static_cast<int>(purpose::exchange) + 1;

}  // namespace

TEST_CASE("philox4x32-10 gives the known answers of Random123", "[core]") {
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        philox_counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        philox_counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        philox_counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is the blocks of its counter, one after another", "[core]") {
  keyed_random random(0, purpose{}, 0, 0);
  for (std::uint32_t block = 0; block < 3; ++block)
    for (std::uint32_t const word : philox({block, 0, 0, 0}, {0, 0})) CHECK(random.bits() == word);
}

TEST_CASE("a stream goes on at any block of it", "[core]") {
  keyed_random random(3, purpose::user, 2, 1), from_block_2 = random;
  for (int word = 0; word < 8; ++word) random.bits();
  from_block_2.bits();
  from_block_2.seek(2);
  for (int word = 0; word < 6; ++word) CHECK(from_block_2.bits() == random.bits());
}

TEST_CASE("64 bits are two words, the first one high", "[core]") {
  keyed_random words(7, purpose::user, 3, 5), pairs = words;
  std::uint64_t const high = words.bits();
  CHECK(pairs.bits64() == (high << 32 | words.bits()));
}

TEST_CASE("seeds, purposes, nodes and steps have streams of their own", "[core]") {
  std::vector<std::uint64_t> seen;
  for (std::uint64_t const seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
    for (int what = 0; what < purposes; ++what)
      for (std::uint32_t const node : {0U, 1U, 2U, 17U, 0xffffffffU})
        for (std::uint64_t const step : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32,
                                         (std::uint64_t{1} << 32) + 1, std::uint64_t{1} << 55}) {
          keyed_random random(seed, static_cast<purpose>(what), node, step);
          for (int k = 0; k < 3; ++k) seen.push_back(random.bits64());
        }
  std::size_t const drawn = seen.size();
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  CHECK(seen.size() == drawn);  // by chance two are equal once in 10^12 tests
}

TEST_CASE("a number depends on its key and place alone", "[core]") {
  keyed_random const start(11, purpose::batch, 4, 9);
  keyed_random first = start, other(11, purpose::batch, 5, 9), again = start;
  for (int k = 0; k < 9; ++k) {
    std::uint32_t const drawn = first.bits();
    other.bits();
    CHECK(drawn == again.bits());
  }
}

TEST_CASE("uniform numbers lie from 0 to below 1 and fill that evenly", "[core]") {
  keyed_random random(1, purpose::user, 0, 0);
  constexpr int draws = 100'000, bins = 20;
  std::array<int, bins> count{};
  for (int k = 0; k < draws; ++k) {
    double const u = random.uniform();
    REQUIRE((u >= 0.0 && u < 1.0));
    REQUIRE(u * 0x1p53 == std::floor(u * 0x1p53));
    ++count[static_cast<std::size_t>(u * bins)];
  }
  double chi_square = 0.0;
  for (int const c : count) chi_square += std::pow(c - draws / bins, 2) / (draws / bins);
  CHECK(chi_square < 19 + 5 * std::sqrt(2.0 * 19));  // 19 degrees of freedom, 5 deviations
}

TEST_CASE("whole numbers below a bound are equally likely", "[core]") {
  for (std::uint32_t const bound : {1U, 2U, 3U, 7U, 10U, 1000U}) {
    keyed_random random(2, purpose::user, bound, 0);
    constexpr int each = 200;
    std::vector<int> count(bound);
    for (std::uint32_t k = 0; k < bound * each; ++k) {
      std::uint32_t const drawn = random.below(bound);
      REQUIRE(drawn < bound);
      ++count[drawn];
    }
    double chi_square = 0.0;
    for (int const c : count) chi_square += std::pow(c - each, 2) / each;
    double const freedom = bound - 1.0;
    CAPTURE(bound);
    CHECK(chi_square <= freedom + 5 * std::sqrt(2.0 * freedom));
  }
}

TEST_CASE("a bound that does not divide 2^32 leaves no bias", "[core]") {
  // 2^32 words on 3 * 2^30 numbers: without rejection every third number would come twice as often.
  keyed_random random(3, purpose::user, 0, 0);
  constexpr int draws = 60'000;
  std::array<int, 3> count{};
  for (int k = 0; k < draws; ++k) ++count[random.below(3U << 30) % 3];
  double const deviation = std::sqrt(draws * (1.0 / 3) * (2.0 / 3));
  for (int const c : count) CHECK(std::abs(c - draws / 3) < 5 * deviation);
}

TEST_CASE("the first normal number of a stream is known at any time", "[core]") {
  keyed_random const fresh(4, purpose::user, 7, std::uint64_t{3} << 33);
  keyed_random drawn = fresh;
  double const first = drawn.normal();
  CHECK(fresh.first_normal() == first);
  CHECK(drawn.first_normal() == first);
}

TEST_CASE("normal numbers drawn side by side are those of each step", "[core]") {
  for (std::uint64_t const step : {0ULL, 5ULL, 0xfffffffcULL, 0x3ffffffffffffULL}) {
    double several[8];
    keyed_random(9, purpose::compute_time, 3, step).first_normals(several);
    for (std::uint64_t k = 0; k < 8; ++k)
      CHECK(several[k] == keyed_random(9, purpose::compute_time, 3, step + k).first_normal());
  }
}

TEST_CASE("normal numbers have the moments and the tails of the bell curve", "[core]") {
  keyed_random random(4, purpose::user, 0, 0);
  constexpr int draws = 200'000;
  std::array<double, 5> moment{};  // of powers 1 to 4
  int beyond_one = 0, beyond_three = 0;
  for (int k = 0; k < draws; ++k) {
    double const x = random.normal();
    REQUIRE(std::isfinite(x));
    for (std::size_t p = 1; p <= 4; ++p) moment[p] += std::pow(x, p) / draws;
    beyond_one += std::abs(x) > 1.0;
    beyond_three += std::abs(x) > 3.0;
  }
  // Variances of x, x^2, x^3, x^4 are 1, 2, 15, 96; five deviations of the mean of all draws.
  CHECK(std::abs(moment[1]) < 5 * std::sqrt(1.0 / draws));
  CHECK(std::abs(moment[2] - 1) < 5 * std::sqrt(2.0 / draws));
  CHECK(std::abs(moment[3]) < 5 * std::sqrt(15.0 / draws));
  CHECK(std::abs(moment[4] - 3) < 5 * std::sqrt(96.0 / draws));
  for (auto const &[count, share] : {std::pair{beyond_one, 0.31731}, {beyond_three, 0.0026998}})
    CHECK(std::abs(count - draws * share) < 5 * std::sqrt(draws * share));
}

TEST_CASE("gamma numbers have mean and variance of their shape", "[core]") {
  for (double const shape : {0.05, 0.5, 1.0, 2.5, 30.0}) {
    keyed_random random(5, purpose::user, 0, static_cast<std::uint64_t>(100 * shape));
    constexpr int draws = 100'000;
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < draws; ++k) {
      double const x = random.gamma(shape);
      REQUIRE((x >= 0.0 && std::isfinite(x)));
      sum += x;
      squares += (x - shape) * (x - shape);
    }
    // The fourth central moment is 3 shape^2 + 6 shape, so squares vary by 2 shape^2 + 6 shape.
    CAPTURE(shape);
    CHECK(std::abs(sum / draws - shape) < 5 * std::sqrt(shape / draws));
    CHECK(std::abs(squares / draws - shape) <
          5 * std::sqrt((2 * shape * shape + 6 * shape) / draws));
  }
}

TEST_CASE("a tiny gamma shape gives zeros, not numbers that are none", "[core]") {
  keyed_random random(6, purpose::user, 0, 0);
  for (int k = 0; k < 1000; ++k) {
    double const x = random.gamma(1e-4);
    REQUIRE((x >= 0.0 && std::isfinite(x)));
  }
}
