// Column and neighborhood functions: their arithmetic, and the kernels made of them.
#include <gossip/codec/cast.hpp>
#include <gossip/core/random.hpp>
#include <gossip/op/adaptive_step.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/op/neighborhood.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

template <class F, class T>
std::vector<T> called(std::vector<T> const &c, std::vector<T> x) {
  F{}(c.data(), x.data());
  return x;
}

/// The median by sorting.
double sorted_median(std::vector<double> x) {
  std::ranges::sort(x);
  std::size_t const half = x.size() / 2;
  return x.size() % 2 == 1 ? x[half] : (x[half - 1] + x[half]) / 2;
}

/// A neighborhood function of numbers with weights 0.1.
template <class F>
double on_neighbors(std::vector<double> const &x) {
  std::vector<std::uint32_t> places(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) places[k] = static_cast<std::uint32_t>(k);
  std::vector<double> const weights(x.size(), 0.1);
  return F{}(neighbor_column<double>{places.data(), weights.data(), x.size(), x.data(), 1});
}

}  // namespace

TEST_CASE("column functions compute what they say", "[op]") {
  CHECK(called<op::mean_of_two, double>({}, {1, 4}) == std::vector<double>{2.5, 2.5});
  CHECK(called<op::interpolation, double>({0.25}, {8, 4}) == std::vector<double>{7, 4});
  CHECK(called<op::linear<1>, double>({3}, {9, 2}) == std::vector<double>{6, 2});
  CHECK(called<op::linear<3>, double>({1, 2, -4}, {9, 2, 3, 5}) ==
        std::vector<double>{-12, 2, 3, 5});
}

// From 3 to 5 with v = 16 and a floor of 2, so x_3 = 12: d = 2, v - d^2 = 12.
TEST_CASE("an adaptive step computes the rules of Adagrad, Adam and Yogi", "[op]") {
  std::vector<double> const x{5, 3, 8, 12};
  CHECK(called<op::adaptive_step, double>({0.5, 0.25, 1, 1, 0, 6, 2}, {5, 3, 8, 5}) ==
        std::vector<double>{3 + 6 * 4.5 / (std::sqrt(13.0) + 2), 3, 4.5, 9});
  CHECK(called<op::adaptive_step, double>({0.5, 0.25, 0.75, 0.25, 0, 6, 2}, x) ==
        std::vector<double>{3 + 6 * 4.5 / (std::sqrt(13.0) + 2), 3, 4.5, 9});
  CHECK(called<op::adaptive_step, double>({0.5, 0.25, 1, 0, 0.75, 6, 2}, x) ==
        std::vector<double>{3 + 6 * 4.5 / (std::sqrt(13.0) + 2), 3, 4.5, 9});
  // v = 4 = d^2 stays, v = 1 grows.
  CHECK(called<op::adaptive_step, double>({0, 0, 1, 0, 0.5, 0, 1}, {2, 0, 0, 3})[3] == 3);
  CHECK(called<op::adaptive_step, double>({0, 0, 1, 0, 0.5, 0, 1}, {2, 0, 0, 0})[3] == 2);
}

TEMPLATE_TEST_CASE("a kernel does to a tile what its function does to a column", "[op]", float,
                   double) {
  using T = TestType;
  for (std::size_t const count : {1, 2, 3, 17, 64}) {
    std::vector<T> x(count), y(count), z(count), c{T(0.3), T(-1.7)};
    for (std::size_t k = 0; k < count; ++k) {
      x[k] = T(0.1) * static_cast<T>(k);
      y[k] = T(1) / static_cast<T>(k + 3);
      z[k] = T(9);
    }
    auto const expected = [&](std::size_t k) { return c[0] * x[k] + c[1] * y[k]; };
    std::vector<T> sums(count);
    for (std::size_t k = 0; k < count; ++k) sums[k] = expected(k);
    T *rows[]{z.data(), x.data(), y.data()};
    auto const &kernel = detail::column_kernel_of<op::linear<2>, T>;
    kernel.tile(c.data(), rows, count);
    CHECK(z == sums);
    // The row that is written may be among those that are read.
    T *same[]{x.data(), x.data(), y.data()};
    kernel.tile(c.data(), same, count);
    CHECK(x == sums);
    T column[]{T(0), y[0], y[0]};
    kernel.one(c.data(), column);
    CHECK(column[0] == c[0] * y[0] + c[1] * y[0]);
  }
}

namespace {

struct halved {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] /= 2;
  }
};

}  // namespace

TEST_CASE("numbers of functions are their places, the library's first", "[op]") {
  struct exchange {
    using functions = function_list<op::linear<2>, halved>;  // one of the library
  };
  CHECK(library_functions::number_of<op::mean_of_two> == 0);
  CHECK(functions_of<exchange>::columns::number_of<op::interpolation> == 1);
  CHECK(functions_of<exchange>::columns::size == library_functions::size + 1);
  CHECK(functions_of<exchange>::columns::number_of<halved> == library_functions::size);
  double const c[]{2, 3};
  double x[]{0, 5, 7};
  library_functions::call(library_functions::number_of<op::linear<2>>, c, x);
  CHECK(x[0] == 31);
  CHECK(library_functions::coefficients(library_functions::number_of<op::linear<2>>) == 2);
}

TEST_CASE("signs are 1, -1, or what is neither above nor below 0", "[op]") {
  auto const sign_of = [](auto x) {
    op::sign{}(&x, &x);
    return x;
  };
  CHECK(sign_of(1e-300) == 1);
  CHECK(sign_of(-7.0F) == -1);
  CHECK(sign_of(std::numeric_limits<double>::infinity()) == 1);
  CHECK(sign_of(0.0) == 0);
  CHECK(std::isnan(sign_of(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("a difference whose share is 0 adds nothing, whatever it is", "[op]") {
  double const infinite = std::numeric_limits<double>::infinity();
  CHECK(called<op::add_difference, double>({0.5, 4}, {1, 2, 5})[0] == 7);
  CHECK(called<op::add_difference, double>({0.5, 0}, {1, 2, infinite})[0] == 1);
  CHECK(called<op::add_difference, double>({0, 4}, {1, infinite, infinite})[0] == 1);
}

TEST_CASE("numbers before another are counted, equal ones where it is asked for", "[op]") {
  double const none = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  auto const counted = [](double ties, double own, double other) {
    return called<op::count_before, double>({ties}, {4, own, other})[0];
  };
  CHECK(counted(0, 2, 1) == 5);
  CHECK(counted(1, 1, 2) == 4);
  CHECK(counted(0, 2, 2) == 4);
  CHECK(counted(1, 2, 2) == 5);
  CHECK(counted(1, none, infinite) == 5);
  CHECK(counted(0, infinite, none) == 4);
  CHECK(counted(0, 1e300, none) == 4);
  CHECK(called<op::add_where_either, double>({2, 3, 0.5}, {1, 3, 8})[0] == 5);
  CHECK(called<op::add_where_either, double>({2, 3, 0.5}, {1, 2, 8})[0] == 5);
  CHECK(called<op::add_where_either, double>({2, 3, 0.5}, {1, 1, none})[0] == 1);
}

TEST_CASE("a number is divided by one that is not 0", "[op]") {
  double const none = std::numeric_limits<double>::quiet_NaN();
  CHECK(called<op::nonzero, double>({}, {7, -1e-300})[0] == 1);
  CHECK(called<op::nonzero, double>({}, {7, -0.0})[0] == 0);
  CHECK(called<op::nonzero, double>({}, {7, none})[0] == 1);
  CHECK(called<op::divide_by_nonzero, double>({}, {6, 0.5})[0] == 12);
  CHECK(called<op::divide_by_nonzero, double>({}, {6, 0})[0] == 6);
}

TEST_CASE("the coordinate median is that of sorted numbers, of any count", "[op]") {
  std::uint32_t state = 1;
  for (std::size_t count = 1; count < 20; ++count)
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<double> x(count);
      for (double &value : x) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<double>(state >> 28);  // many are equal
      }
      CHECK(on_neighbors<op::coordinate_median>(x) == sorted_median(x));
    }
  CHECK(on_neighbors<op::coordinate_median>({3, 3, 3}) == 3);
}

TEST_CASE("a trimmed mean is that of sorted numbers without both ends", "[op]") {
  auto const by_sorting = [](std::vector<double> x, std::size_t cut) {
    std::ranges::sort(x);
    cut = std::min(cut, (x.size() - 1) / 2);
    double sum = 0;
    for (std::size_t k = cut; k < x.size() - cut; ++k) sum += x[k];
    return sum / static_cast<double>(x.size() - 2 * cut);
  };
  keyed_random random(5, purpose::user, 0, 0);
  for (std::size_t count = 1; count < 12; ++count)
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<double> x(count);
      for (double &value : x) value = random.below(6);  // many are equal; sums are exact
      CHECK(on_neighbors<op::trimmed_mean<1>>(x) == by_sorting(x, 1));
      CHECK(on_neighbors<op::trimmed_mean<2>>(x) == by_sorting(x, 2));
    }
  double const none = std::numeric_limits<double>::quiet_NaN();
  CHECK(on_neighbors<op::trimmed_mean<1>>({none, 1, 5, 9}) == 7);  // cut as the largest
  CHECK(std::isnan(on_neighbors<op::trimmed_mean<1>>({none, 1, none, 9, 2})));
}

TEST_CASE("a row is rounded to 16 bits where it lies", "[op]") {
  double x[]{1 + 0x1p-9};
  op::rounding<bf16>{}(x, x);
  CHECK(x[0] == 1);
  x[0] = 1 + 0x1p-9;
  op::rounding<fp16>{}(x, x);
  CHECK(x[0] == 1 + 0x1p-9);
  float y[]{65536.0F};
  op::rounding<fp16>{}(y, y);
  CHECK(std::isinf(y[0]));
  CHECK(codec::cast<bf16>::bytes(431'080, sizeof(float)) == 862'160);
}

TEST_CASE("the weighted sum is a row of W X", "[op]") {
  float const x[]{1, 2, 3, 4, 5, 6};
  std::uint32_t const columns[]{0, 2};
  float const weights[]{0.25F, 0.5F};
  neighbor_column<float> const column{columns, weights, 2, x, 2};
  CHECK(op::weighted_sum{}(column) == 0.25F * 1 + 0.5F * 5);
}
