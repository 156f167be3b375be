// Sums that do not depend on the order of their addends.
#include <gossip/core/reproducible_sum.hpp>

#include <gossip/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../catch.hpp"

using gossip::reproducible_sum;

namespace {

// The parts of a sum of d columns.
struct sum_memory {
  std::vector<std::int64_t> coarse, fine;

  explicit sum_memory(std::size_t d) : coarse(d), fine(d) {}
  reproducible_sum sum() { return {coarse.data(), fine.data()}; }
};

// Rows of magnitudes from 2^-40 to 2^19.
std::vector<std::vector<double>> rows(std::size_t count, std::size_t d) {
  gossip::keyed_random random(1, gossip::purpose::user, 0, 0);
  std::vector<std::vector<double>> all(count, std::vector<double>(d));
  for (auto &row : all)
    for (double &x : row)
      x = std::ldexp(2 * random.uniform() - 1, static_cast<int>(random.below(60)) - 40);
  return all;
}

std::vector<double> values(sum_memory &memory) {
  std::vector<double> result;
  for (std::size_t c = 0; c < memory.coarse.size(); ++c)
    result.push_back(memory.sum().take_value(c));
  return result;
}

}  // namespace

TEST_CASE("a sum has the same bits in every order and however it is shared out", "[core]") {
  auto all = rows(100, 7);
  auto const forward = [&] {
    sum_memory memory(7);
    for (auto const &row : all) CHECK(memory.sum().add(row.data(), 7));
    return values(memory);
  };
  auto const expected = forward();
  std::reverse(all.begin(), all.end());
  CHECK(forward() == expected);
  std::rotate(all.begin(), all.begin() + 37, all.end());
  CHECK(forward() == expected);
  sum_memory first(7), second(7);
  for (std::size_t k = 0; k < all.size(); ++k)
    (k % 3 == 0 ? first : second).sum().add(all[k].data(), 7);
  for (std::size_t c = 0; c < 7; ++c) first.sum().take(second.sum(), c);
  CHECK(values(first) == expected);
  CHECK(values(second) == std::vector<double>(7, 0.0));  // taken means cleared
}

TEST_CASE("a sum is that of its addends cut to multiples of 2^-60", "[core]") {
  auto const all = rows(100, 7);
  sum_memory memory(7);
  for (auto const &row : all) memory.sum().add(row.data(), 7);
  auto const sums = values(memory);
  for (std::size_t c = 0; c < 7; ++c) {
    long double exact = 0;
    for (auto const &row : all) exact += row[c];
    // The addition in long double is exact to 2^20 * 100 * 2^-64, the cut to 100 * 2^-60.
    CHECK(static_cast<double>(exact) == Approx(sums[c]).epsilon(1e-15).margin(1e-11));
  }
}

TEST_CASE("columns that are cleared hold nothing, the others what they held", "[core]") {
  sum_memory memory(5);
  std::vector<double> const row{1, 2, 3, 4, 5};
  CHECK(memory.sum().add(row.data(), 5));
  memory.sum().clear(1, 4);
  CHECK(values(memory) == std::vector<double>{1, 0, 0, 0, 5});
}

TEST_CASE("small integers and powers of two are summed exactly", "[core]") {
  sum_memory memory(1);
  for (double const x : {3.0, 0x1p-60, -1.0, 0x1p19, -0x1p19, -0x1p-59})
    CHECK(memory.sum().add(&x, 1));
  CHECK(memory.sum().take_value(0) == 2.0 - 0x1p-60);
  CHECK(memory.sum().take_value(0) == 0.0);
}

TEST_CASE("the greatest addends as often as allowed do not overflow", "[core]") {
  double const largest = std::nextafter(reproducible_sum::largest_addend, 0.0);
  sum_memory memory(1);
  for (std::size_t k = 0; k < reproducible_sum::most_addends; ++k) memory.sum().add(&largest, 1);
  CHECK(memory.sum().take_value(0) == largest * 0x1p22);
}

TEST_CASE("an addend that is too large or no number is told", "[core]") {
  for (double const x : {0x1p20, -0x1p20, 1e300, std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
    sum_memory memory(1);
    CHECK_FALSE(memory.sum().add(&x, 1));
    CHECK(memory.sum().take_value(0) == 0.0);
  }
}
