// Variances of tensors against plain loops.
#include <gossip/op/tensor_variance.hpp>

#include <gossip/core/random.hpp>
#include <gossip/op/row_tensors.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "../catch.hpp"
#include "teams.hpp"

namespace {

using gossip::row_tensor;
using gossip::row_tensors;

/// A matrix, a vector, a single number, and a matrix of two.
std::vector<row_tensor> const moment_shapes{{0, {4, 7}}, {28, {4, 1}}, {32, {1, 1}}, {33, {1, 2}}};
constexpr std::size_t moment_columns = 35;

template <class T>
std::vector<T> drawn_moments(std::uint64_t key) {
  gossip::keyed_random random(3, gossip::purpose::exchange, 0, key);
  std::vector<T> row(moment_columns);
  for (auto &x : row) x = static_cast<T>(random.normal() + 0.5);
  return row;
}

struct plain_moments {
  double mean = 0, variance = 0;
};

template <class T>
plain_moments plain_moments_of(std::vector<T> const &row, row_tensor const &one) {
  plain_moments found;
  for (std::size_t k = 0; k < one.size(); ++k)
    found.mean += static_cast<double>(row[one.first + k]) / static_cast<double>(one.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    double const away = static_cast<double>(row[one.first + k]) - found.mean;
    found.variance += away * away / static_cast<double>(one.size() - 1);
  }
  return found;
}

template <class F, class T, class Team = gossip::op::one_thread>
std::vector<T> with_moments(std::vector<T> first, std::vector<T> second, double a, double b,
                            Team const &team = {}) {
  double const c[] = {a, b};
  T *const x[] = {first.data(), second.data()};
  F{}(team, row_tensors(std::span(moment_shapes)), c, x);
  return first;
}

}  // namespace

TEMPLATE_TEST_CASE("variances of tensors are added in their first moment_columns", "[op]", float,
                   double) {
  double const near = std::is_same_v<TestType, float> ? 1e-5 : 1e-13;
  auto const sums = drawn_moments<TestType>(0), row = drawn_moments<TestType>(1);
  auto const found = with_moments<gossip::op::add_tensor_variances>(sums, row, 0.25, 3);
  std::vector<TestType> expected = sums;
  for (row_tensor const &one : moment_shapes)
    if (one.size() > 1)
      expected[one.first] = static_cast<TestType>(0.25 * static_cast<double>(sums[one.first]) +
                                                  3 * plain_moments_of(row, one).variance);
  for (std::size_t k = 0; k < moment_columns; ++k)
    CHECK(found[k] == Approx(expected[k]).epsilon(near));
  CHECK(found == with_moments<gossip::op::add_tensor_variances>(sums, row, 0.25, 3,
                                                                gossip::test::from_behind{}));
}

TEMPLATE_TEST_CASE("tensors are brought to a variance around their means", "[op]", float, double) {
  double const near = std::is_same_v<TestType, float> ? 1e-5 : 1e-12;
  auto const row = drawn_moments<TestType>(2);
  std::vector<TestType> targets(moment_columns, TestType{9});
  for (row_tensor const &one : moment_shapes) targets[one.first] = TestType{4};
  auto const found = with_moments<gossip::op::scale_tensor_variances>(row, targets, 0.5, 0);
  auto const smooth = with_moments<gossip::op::scale_tensor_variances>(row, targets, 0.5, 0.25);
  CHECK(found[32] == row[32]);
  for (row_tensor const &one : moment_shapes) {
    if (one.size() < 2) continue;
    auto const before = plain_moments_of(row, one), after = plain_moments_of(found, one);
    CHECK(after.mean == Approx(before.mean).epsilon(near));
    CHECK(after.variance == Approx(2).epsilon(near));
    double const factor = std::sqrt(2.25 / (before.variance + 0.25));
    for (std::size_t k = one.first; k < one.first + one.size(); ++k)
      CHECK(static_cast<double>(smooth[k]) ==
            Approx((static_cast<double>(row[k]) - before.mean) * factor + before.mean)
                .epsilon(10 * near)
                .margin(near));
  }
  CHECK(found == with_moments<gossip::op::scale_tensor_variances>(row, targets, 0.5, 0,
                                                                  gossip::test::from_behind{}));
}

TEST_CASE("a tensor of the same number throughout stays", "[op]") {
  std::vector<double> const flat(moment_columns, 0.5), targets(moment_columns, 4.0);
  CHECK(with_moments<gossip::op::scale_tensor_variances>(flat, targets, 1, 0) == flat);
}
