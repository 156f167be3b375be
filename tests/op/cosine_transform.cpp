// The cosine transform against the formula of its matrix, with the cosine of the C library.
#include <gossip/op/cosine_transform.hpp>

#include <gossip/core/random.hpp>
#include <gossip/op/chunk_lanes.hpp>
#include <gossip/op/cosine_factors.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <vector>

#include "../catch.hpp"

namespace gossip::test::cosines {

namespace {

template <class T>
std::vector<T> normal_numbers(std::size_t size) {
  keyed_random random(1, purpose::user, 0, size);
  std::vector<T> x(size);
  for (T &one : x) one = static_cast<T>(random.normal());
  return x;
}

template <class T, class Factors = op::cosine_formula<T>>
std::vector<T> forward(std::vector<T> x, Factors const &factors = {}) {
  std::vector<T> y(x.size());
  op::cosine_transform<T>::forward(factors, x.size(), x.data(), y.data());
  return y;
}
template <class T, class Factors = op::cosine_formula<T>>
std::vector<T> inverse(std::vector<T> y, Factors const &factors = {}) {
  std::vector<T> x(y.size());
  op::cosine_transform<T>::inverse(factors, y.size(), y.data(), x.data());
  return x;
}

double norm(auto const &x) {
  double sum = 0;
  for (auto const one : x) sum += static_cast<double>(one) * static_cast<double>(one);
  return std::sqrt(sum);
}

/// A sum of m terms is off by m / 2 units in the last place of |x|, each split by one or two on the
/// way there and back, and cosines by n^2 / 4 units of a double.
template <class T>
double allowed(std::vector<T> const &x) {
  std::size_t const leaf = op::cosine_leaf(x.size());
  double const m = static_cast<double>(leaf), n = static_cast<double>(x.size());
  double const steps = m / 2 + 4 * std::log2(n / m) + 1;
  return norm(x) * (steps * std::numeric_limits<T>::epsilon() +
                    n * n * std::numeric_limits<double>::epsilon());
}

constexpr std::size_t sizes[] = {1, 2, 3, 4, 6, 7, 8, 9, 12, 16, 17, 32, 64, 100, 126, 127, 128};

}  // namespace

TEMPLATE_TEST_CASE("the cosine transform is that of the formula", "[op]", float, double) {
  for (std::size_t const size : sizes) {
    std::vector<TestType> const x = normal_numbers<TestType>(size), y = forward(x);
    double const n = static_cast<double>(size);
    for (std::size_t k = 0; k < size; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i)
        sum += static_cast<double>(x[i]) *
               std::cos(std::numbers::pi * (2.0 * static_cast<double>(i) + 1) *
                        static_cast<double>(k) / (2 * n));
      sum *= std::sqrt((k == 0 ? 1 : 2) / n);
      CHECK(std::abs(static_cast<double>(y[k]) - sum) <= allowed(x));
    }
  }
}

TEMPLATE_TEST_CASE("the cosine transform keeps lengths and is undone by its inverse", "[op]", float,
                   double) {
  for (std::size_t const size : sizes) {
    std::vector<TestType> const x = normal_numbers<TestType>(size), y = forward(x);
    CHECK(std::abs(norm(y) - norm(x)) <= allowed(x));
    auto const back = inverse(y), other = forward(inverse(x));
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(std::abs(static_cast<double>(back[i] - x[i])) <= 2 * allowed(x));
      CHECK(std::abs(static_cast<double>(other[i] - x[i])) <= 2 * allowed(x));
    }
  }
}

TEMPLATE_TEST_CASE("a table of cosines and lanes give the bits of the cosine transform", "[op]",
                   float, double) {
  using lanes = op::chunk_lanes<TestType>;
  using transforms = op::cosine_transform<TestType, typename lanes::numbers>;
  for (std::size_t const size : sizes) {
    op::cosine_table<TestType> const table(size);
    std::vector<TestType> const all = normal_numbers<TestType>(size * lanes::lanes);
    std::vector<TestType> together, there, back;
    for (auto x = all.begin(); x != all.end(); x += static_cast<std::ptrdiff_t>(size)) {
      std::vector<TestType> const one(x, x + static_cast<std::ptrdiff_t>(size));
      std::ranges::copy(forward(one), std::back_inserter(there));
      std::ranges::copy(inverse(one), std::back_inserter(back));
      CHECK(forward(one, table) == forward(one));
      CHECK(inverse(one, table) == inverse(one));
    }
    lanes results;
    auto const transformed = [&](auto transform) {
      together = all;
      lanes::change(together.size(), size, together.data(), [&](lanes &x) {
        transform(x);
        std::copy(results.data(), results.data() + size, x.data());
      });
      return together;
    };
    CHECK(transformed([&](lanes &x) {
            transforms::forward(table, size, x.data(), results.data());
          }) == there);
    CHECK(transformed([&](lanes &x) {
            transforms::inverse(table, size, x.data(), results.data());
          }) == back);
  }
}

// cos(pi / 8) = c, cos(3 pi / 8) = s; of 1, 2, 3, 4 the sum, c (1 - 4) + s (2 - 3), ...
TEST_CASE("the cosine transform of four numbers is that by hand", "[op]") {
  double const c = std::sqrt(2 + std::sqrt(2.0)) / 2, s = std::sqrt(2 - std::sqrt(2.0)) / 2;
  std::vector<double> const y = forward(std::vector<double>{1, 2, 3, 4});
  double const scale = std::sqrt(0.5);
  CHECK(y[0] == 5);
  CHECK(y[1] == Approx(scale * (-3 * c - s)));
  CHECK(y[2] == Approx(0).margin(1e-15));
  CHECK(y[3] == Approx(scale * (-3 * s + c)));
  CHECK(forward(std::vector<double>{-7}) == std::vector<double>{-7});
}

}  // namespace gossip::test::cosines
