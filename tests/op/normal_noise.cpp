// Normal numbers: their distribution function, and the same bits for every team.
#include <gossip/op/normal_noise.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../catch.hpp"
#include "teams.hpp"

namespace gossip::test {

namespace {

std::vector<double> noise(std::size_t columns, double kept, double start, double draw) {
  std::vector<double> row(columns, start);
  double const c[] = {kept, 2.0, draw};
  double *const x[] = {row.data()};
  op::normal_noise{}(op::one_thread{}, columns, c, x);
  return row;
}

}  // namespace

// The largest distance from the normal distribution function of 100,000 numbers is above 1.95 /
// sqrt(100,000) with a chance of a thousandth (Kolmogorov).
TEST_CASE("noise is normal, and added to what is kept", "[op]") {
  constexpr std::size_t columns = 100'001;
  std::vector<double> z = noise(columns, 0.5, 6, 0.375);
  for (double &x : z) x = (x - 3) / 2;
  double products = 0;  // of the two numbers of a pair, and of neighbors of two
  for (std::size_t c = 0; c + 1 < columns; ++c) products += z[c] * z[c + 1];
  CHECK(products / columns == Approx(0).margin(4 / std::sqrt(1e5)));
  std::ranges::sort(z);
  double most = 0;
  for (std::size_t c = 0; c < columns; ++c)
    most = std::max(most, std::abs(0.5 * std::erfc(-z[c] / std::sqrt(2.0)) -
                                   (static_cast<double>(c) + 0.5) / columns));
  CHECK(most < 1.95 / std::sqrt(1e5));
  CHECK(noise(100, 0, 1, 0.375) != noise(100, 0, 1, 0.25));
}

TEMPLATE_TEST_CASE("noise has the same bits for every team", "[op]", float, double) {
  for (std::size_t const columns : {1, 2, 3, 127, 128, 129, 1001}) {
    std::vector<TestType> row(columns, TestType(1)), other = row;
    double const c[] = {1.0, 0.5, 0.625};
    TestType *const x[] = {row.data()}, *const y[] = {other.data()};
    op::normal_noise{}(op::one_thread{}, columns, c, x);
    op::normal_noise{}(from_behind{}, columns, c, y);
    CHECK(row == other);
  }
}

}  // namespace gossip::test
