// Variances of a row's tensors, and tensors brought to a variance.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gossip/op/row_tensors.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

namespace detail {

/// The mean of a tensor, and its variance without bias; of two numbers or more.
struct tensor_moments {
  double mean, variance;

  template <class T, class Team>
  static constexpr tensor_moments of(Team const &team, row_tensor const &one, T const *row) {
    T const *const numbers = row + one.first;
    auto const count = static_cast<double>(one.size());
    double const mean = team.sum(one.size(), [=](std::size_t i) {
      return static_cast<double>(numbers[i]);
    }) / count;
    double const squares = team.sum(one.size(), [=](std::size_t i) {
      double const away = static_cast<double>(numbers[i]) - mean;
      return away * away;
    });
    return {mean, squares / (count - 1)};
  }
};

}  // namespace detail

/// The first column of every tensor of x_0 <- c_0 times itself + c_1 times the variance of the
/// tensor in x_1; tensors of one number, and all other columns, stay.
struct add_tensor_variances {
  static constexpr std::size_t rows = 2, coefficients = 2;
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;

  template <class T, class Team>
  constexpr void operator()(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) const {
    for (row_tensor const &one : tensors) {
      if (one.size() < 2) continue;
      double const variance = detail::tensor_moments::of(team, one, x[1]).variance;
      T *const sum = x[0] + one.first;
      double const before = c[0], added = c[1] * variance;
      team.each(1, [=](std::size_t) {
        *sum = static_cast<T>(before * static_cast<double>(*sum) + added);
      });
    }
  }
};
static_assert(whole_row_function<add_tensor_variances>);

/// Every tensor of x_0 <- (x_0 - m) ((c_0 t + c_1) / (v + c_1))^(1/2) + m, with its mean m, its
/// variance v, and t the first column of the tensor in x_1. One of a single number, or of the same
/// number throughout where c_1 is 0, stays.
struct scale_tensor_variances {
  static constexpr std::size_t rows = 2, coefficients = 2;
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;

  template <class T, class Team>
  constexpr void operator()(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) const {
    for (row_tensor const &one : tensors) {
      if (one.size() < 2) continue;
      auto const [mean, variance] = detail::tensor_moments::of(team, one, x[0]);
      double const target = c[0] * static_cast<double>(x[1][one.first]);
      if (!(variance + c[1] > 0)) continue;
      double const middle = mean, factor = std::sqrt((target + c[1]) / (variance + c[1]));
      T *const numbers = x[0] + one.first;
      team.each(one.size(), [=](std::size_t i) {
        numbers[i] = static_cast<T>((static_cast<double>(numbers[i]) - middle) * factor + middle);
      });
    }
  }
};
static_assert(whole_row_function<scale_tensor_variances>);

}  // namespace gossip::op
