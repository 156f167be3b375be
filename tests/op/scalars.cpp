// Row reductions and scalar functions: their arithmetic, and the tree that sums.
#include <gossip/core/random.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../catch.hpp"

using namespace gossip;
using tree = op::reduction_tree;

namespace {

double const infinite = std::numeric_limits<double>::infinity();
double const no_number = std::numeric_limits<double>::quiet_NaN();

double clipped(double square, double radius) {
  return op::clip_factor{}(&square, &radius);
}
double lengthened(double square, double radius) {
  return op::length_factor{}(&square, &radius);
}

/// The whole tree by kernels, every block in two parts.
template <class T>
double summed(std::vector<T> const &x, std::vector<T> const &y, std::size_t cut) {
  auto const &kernel = detail::reduction_kernel_of<op::dot_product, T>;
  std::vector<double> sums;
  for (std::size_t first = 0; first < x.size(); first += tree::block) {
    double lanes[tree::lanes]{};
    std::size_t const count = std::min(tree::block, x.size() - first), half = std::min(cut, count);
    T const *rows[]{x.data() + first, y.data() + first};
    kernel.add(rows, half, lanes);
    T const *rest[]{rows[0] + half, rows[1] + half};
    kernel.add(rest, count - half, lanes);
    sums.push_back(tree::add_lanes(lanes));
  }
  return tree::add_blocks(sums.data(), sums.size());
}

}  // namespace

TEST_CASE("row functions compute what they say", "[op]") {
  float const x[]{3, -1};
  CHECK(op::squared_norm{}(x) == 9);
  CHECK(op::squared_distance{}(x) == 16);
  CHECK(op::dot_product{}(x) == -3);
  CHECK(op::largest_magnitude{}(x) == 3);
  CHECK(op::largest_magnitude{}(x + 1) == 1);
  CHECK(library_reductions::call(library_reductions::number_of<op::squared_distance>, x) == 16);
}

TEST_CASE("a vector is cut to a radius, and not lengthened", "[op]") {
  CHECK(clipped(16, 2) == 0.5);
  CHECK(clipped(16, 5) == 1);
  CHECK(clipped(0, 2) == 1);
  CHECK(clipped(16, 0) == 0);
  CHECK(clipped(0, 0) == 0);  // no number
  CHECK(clipped(16, infinite) == 1);
  CHECK(clipped(infinite, 2) == 0);
  CHECK(clipped(no_number, 2) == 0);
  CHECK(clipped(infinite, infinite) == 0);
}

TEST_CASE("a vector gets a length, unless it has none", "[op]") {
  CHECK(lengthened(16, 2) == 0.5);
  CHECK(lengthened(0.25, 2) == 4);
  CHECK(lengthened(0, 2) == 0);
  CHECK(lengthened(no_number, 2) == 0);
  CHECK(lengthened(infinite, 2) == 0);
}

TEST_CASE("scalar functions are called by their numbers", "[op]") {
  double const values[]{3, 6};
  operand const doubled[]{{0, 1}, {2, operand::none, true}}, halved[]{{0, 1}, {0, 0, true}};
  CHECK(library_scalars::call(library_scalars::number_of<op::scaled>, doubled, values) == 12);
  CHECK(library_scalars::call(library_scalars::number_of<op::quotient>, halved, values) == 2);
  CHECK(std::get<scalar_kernel const *>(entry_of<op::scaled>.kernels)->call(doubled, values) == 12);
}

TEST_CASE("scalar functions of any number of scalars take all to the last", "[op]") {
  double const values[]{4, 1, 3, 1, no_number};
  auto const called = [&](auto function, std::vector<double> const &numbers, std::uint32_t count) {
    std::vector<operand> given;
    for (double const c : numbers) given.push_back({c, operand::none});
    for (std::uint32_t k = 0; k < count; ++k) given.push_back({0, k});
    given.back().last = true;
    given.push_back({100, operand::none, true});  // of another operation
    return library_scalars::call(library_scalars::number_of<decltype(function)>, given.data(),
                                 values);
  };
  CHECK(called(op::share_of_sum{}, {2}, 4) == 3.0 / 9);
  CHECK(called(op::share_of_sum{}, {0}, 1) == 1);
  CHECK(called(op::sum_of_least{}, {2}, 4) == 2);
  CHECK(called(op::sum_of_least{}, {3}, 5) == 5);
  CHECK(called(op::sum_of_least{}, {4}, 5) == 9);
  CHECK(std::isnan(called(op::sum_of_least{}, {5}, 5)));
  CHECK(called(op::share_of_least{}, {1, 1}, 5) == 1);  // of equal ones the first
  CHECK(called(op::share_of_least{}, {3, 1}, 5) == 0);
  CHECK(called(op::share_of_least{}, {3, 2}, 5) == 0.5);
  CHECK(called(op::share_of_least{}, {4, 4}, 5) == 0);
  operand const length[]{{0, 0}, {0.25, operand::none, true}},
      none[]{{0, 4}, {1, operand::none, true}};
  auto const inverse = library_scalars::number_of<op::inverse_length>;
  CHECK(library_scalars::call(inverse, length, values) == 0.5);
  double const near[]{0.01};
  CHECK(library_scalars::call(inverse, length, near) == 4);
  CHECK(library_scalars::call(inverse, none, values) == 0);
}

TEST_CASE("blocks are added in pairs, then pairs of pairs", "[op]") {
  double sums[]{1, 0x1p-53, 0x1p-53, 0x1p-53, 0x1p-53};
  // (1 + e) + (e + e), then e: 1 + e is 1, and 1 + 2e is a number of its own.
  CHECK(tree::add_blocks(sums, 5) == (1 + 0x1p-52) + 0x1p-53);
  CHECK(tree::add_blocks(sums, 0) == 0);
  double lanes[tree::lanes]{1};
  for (std::size_t l = 1; l < tree::lanes; ++l) lanes[l] = 0x1p-53;
  // With lane 8 added first, lane 0 is still 1; then 2e, 4e and 8e arrive.
  CHECK(tree::add_lanes(lanes) == 1 + 14 * 0x1p-53);
}

TEMPLATE_TEST_CASE("the largest term is that of all columns", "[op]", float, double) {
  auto const number = library_reductions::number_of<op::largest_magnitude>;
  auto const &kernel = detail::reduction_kernel_of<op::largest_magnitude, TestType>;
  CHECK(kernel.fold.largest);
  CHECK(library_reductions::fold(number).largest);
  CHECK_FALSE(library_reductions::fold(library_reductions::number_of<op::dot_product>).largest);
  keyed_random draw(5, purpose::user, 0, 0);
  for (std::size_t const count : {0, 1, 16, 17, 2047, 2049, 5000}) {
    std::vector<TestType> x(count);
    double expected = -infinite;
    for (TestType &one : x) {
      one = static_cast<TestType>(draw.normal());
      expected = std::max(expected, std::abs(static_cast<double>(one)));
    }
    auto const found = [&] {
      std::vector<double> largest;
      for (std::size_t first = 0; first < count; first += tree::block) {
        std::vector<double> lanes(tree::lanes, kernel.fold.none());
        TestType const *const rows[]{x.data() + first};
        kernel.add(rows, std::min(tree::block, count - first), lanes.data());
        largest.push_back(tree::add_lanes(lanes.data(), kernel.fold));
      }
      return tree::add_blocks(largest.data(), largest.size(), kernel.fold);
    };
    CHECK(found() == expected);
    if (count == 0) continue;
    x[count / 2] = static_cast<TestType>(no_number);
    CHECK(std::isnan(found()));
    x[count / 2] = static_cast<TestType>(-infinite);
    CHECK(found() == infinite);
  }
}

TEMPLATE_TEST_CASE("a sum does not depend on where a block is cut", "[op]", float, double) {
  for (std::size_t const count : {1, 15, 16, 17, 2047, 2048, 2049, 5000, 9000}) {
    std::vector<TestType> x(count), y(count);
    double plain = 0;
    for (std::size_t c = 0; c < count; ++c) {
      x[c] = static_cast<TestType>(keyed_random(1, purpose::user, 0, c).normal());
      y[c] = static_cast<TestType>(keyed_random(2, purpose::user, 0, c).normal());
      plain += static_cast<double>(x[c]) * static_cast<double>(y[c]);
    }
    double const once = summed(x, y, tree::block);
    CHECK(once == Approx(plain).epsilon(1e-10).margin(1e-11));
    for (std::size_t const cut : {16, 512, 1024}) CHECK(summed(x, y, cut) == once);
  }
}
