// The cosine transform against the formula of its matrix, with the cosine of the C library.
#include <gossip/op/cosine_transform.hpp>

#include <gossip/core/random.hpp>
#include <gossip/op/cosine_table.hpp>

#include <cmath>
#include <cstddef>
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

template <class T>
std::vector<T> forward(std::vector<T> const &x) {
  std::vector<T> y(x.size());
  op::cosine_transform::forward(x.size(), x.data(), y.data());
  return y;
}
template <class T>
std::vector<T> inverse(std::vector<T> const &y) {
  std::vector<T> x(y.size());
  op::cosine_transform::inverse(y.size(), y.data(), x.data());
  return x;
}

double norm(auto const &x) {
  double sum = 0;
  for (auto const one : x) sum += static_cast<double>(one) * static_cast<double>(one);
  return std::sqrt(sum);
}

}  // namespace

// Cosines are off by N^2 / 4 units or so, and the sum of |x_i| is at most sqrt(N) |x|.
TEMPLATE_TEST_CASE("the cosine transform is that of the formula", "[op]", float, double) {
  for (std::size_t const size : {1, 2, 3, 4, 7, 8, 9, 17, 64, 127, 128}) {
    std::vector<TestType> const x = normal_numbers<TestType>(size), y = forward(x);
    double const n = static_cast<double>(size), least = std::numeric_limits<TestType>::epsilon();
    double const allowed = norm(x) * (least + n * n * std::numeric_limits<double>::epsilon());
    for (std::size_t k = 0; k < size; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i)
        sum += static_cast<double>(x[i]) *
               std::cos(std::numbers::pi * (2.0 * static_cast<double>(i) + 1) *
                        static_cast<double>(k) / (2 * n));
      sum *= std::sqrt((k == 0 ? 1 : 2) / n);
      CHECK(std::abs(static_cast<double>(y[k]) - sum) <= allowed);
    }
  }
}

TEMPLATE_TEST_CASE("the cosine transform keeps lengths and is undone by its inverse", "[op]", float,
                   double) {
  for (std::size_t const size : {1, 2, 3, 4, 7, 8, 9, 17, 64, 127, 128}) {
    std::vector<TestType> const x = normal_numbers<TestType>(size), y = forward(x);
    double const n = static_cast<double>(size), least = std::numeric_limits<TestType>::epsilon();
    double const allowed = norm(x) * (2 * least + n * n * std::numeric_limits<double>::epsilon());
    CHECK(std::abs(norm(y) - norm(x)) <= allowed);
    auto const back = inverse(y), other = forward(inverse(x));
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(std::abs(static_cast<double>(back[i] - x[i])) <= allowed);
      CHECK(std::abs(static_cast<double>(other[i] - x[i])) <= allowed);
    }
  }
}

TEMPLATE_TEST_CASE("a table of cosines gives the bits of the cosine transform", "[op]", float,
                   double) {
  for (std::size_t const size : {1, 2, 3, 4, 7, 8, 9, 17, 64, 127, 128}) {
    op::cosine_table const table(size);
    std::vector<TestType> x = normal_numbers<TestType>(size), found(size);
    table.forward(size, x.data(), found.data());
    CHECK(found == forward(x));
    for (std::size_t k = 0; k < size; k += 3) x[k] = TestType{0};
    table.inverse(size, x.data(), found.data());
    CHECK(found == inverse(x));
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
