// Rows added to exact sums by registers of columns, beside the same one number after the other.
#include <gossip/backend/cpu/row_sum.hpp>
#include <gossip/core/random.hpp>
#include <gossip/core/reproducible_sum.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../catch.hpp"

namespace {

struct parts {
  std::vector<std::int64_t> coarse, fine;

  explicit parts(std::size_t columns) : coarse(columns), fine(columns) {}
  gossip::reproducible_sum sum() { return {coarse.data(), fine.data()}; }
  friend bool operator==(parts const &, parts const &) = default;
};

/// Numbers of both signs from 2^-70 to 2^19.
template <class T>
std::vector<T> row_of(std::size_t columns, std::uint64_t seed) {
  gossip::keyed_random random(seed, gossip::purpose::user, 0, 0);
  std::vector<T> row(columns);
  for (T &x : row)
    x = static_cast<T>(
        std::ldexp(2 * random.uniform() - 1, static_cast<int>(random.below(90)) - 70));
  return row;
}

constexpr std::size_t offset = 3;  // of the columns that a row is added to

}  // namespace

TEMPLATE_TEST_CASE("a row added by registers gives the bits of its numbers added one by one",
                   "[backend]", float, double) {
  for (std::size_t const columns : {0, 1, 7, 8, 9, 16, 31, 1000}) {
    CAPTURE(columns);
    parts by_registers(offset + columns), one_by_one(offset + columns);
    for (std::uint64_t k = 0; k < 40; ++k) {
      auto const row = row_of<TestType>(columns, k);
      double const weight = k % 3 == 0 ? 1.0 : -1.0 / static_cast<double>(k);
      CHECK(gossip::host::add_columns(by_registers.sum(), weight, row.data(), offset, columns));
      for (std::size_t c = 0; c < columns; ++c)
        CHECK(one_by_one.sum().add_value(weight * static_cast<double>(row[c]), offset + c));
    }
    CHECK(by_registers == one_by_one);
  }
}

TEMPLATE_TEST_CASE("a number that a sum cannot hold is told, and alone left out", "[backend]",
                   float, double) {
  constexpr std::size_t columns = 37;
  constexpr TestType infinity = std::numeric_limits<TestType>::infinity();
  for (TestType const wrong :
       {TestType{0x1p20}, TestType{-0x1p20}, infinity, -infinity,
        std::numeric_limits<TestType>::quiet_NaN(), std::numeric_limits<TestType>::max()})
    for (std::size_t at = 0; at < columns; ++at) {
      auto row = row_of<TestType>(columns, 5);
      row[at] = wrong;
      parts by_registers(columns), one_by_one(columns);
      CHECK_FALSE(gossip::host::add_columns(by_registers.sum(), 1.0, row.data(), 0, columns));
      CHECK_FALSE(one_by_one.sum().add(row.data(), columns));
      CHECK(by_registers == one_by_one);
      CHECK(by_registers.coarse[at] == 0);
    }
  std::vector<TestType> row(columns, TestType{0x1p19});  // fits, twice it does not
  row[5] = infinity;
  for (double const weight : {2.0, 0.0}) {
    parts by_registers(columns), one_by_one(columns);
    CHECK_FALSE(gossip::host::add_columns(by_registers.sum(), weight, row.data(), 0, columns));
    for (std::size_t c = 0; c < columns; ++c)
      one_by_one.sum().add_value(weight * static_cast<double>(row[c]), c);
    CHECK(by_registers == one_by_one);
    CHECK(std::ranges::all_of(by_registers.coarse, [](std::int64_t x) { return x == 0; }));
  }
  std::ranges::fill(row, TestType{-0.0});
  parts zeros(columns);
  CHECK(gossip::host::add_columns(zeros.sum(), 1.0, row.data(), 0, columns));
  CHECK(zeros == parts(columns));
  std::ranges::fill(row, std::nextafter(TestType{0x1p20}, TestType{0}));  // the largest that fits
  parts sum(columns);
  CHECK(gossip::host::add_columns(sum.sum(), 1.0, row.data(), 0, columns));
}
