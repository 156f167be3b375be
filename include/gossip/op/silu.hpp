// x times its logistic sigmoid, and the gradient, value by value.
#pragma once

#include <cstddef>

#include <gossip/op/lanes.hpp>
#include <gossip/op/softmax.hpp>

namespace gossip::op {

/// 1 / (1 + e^-x) by additions, multiplications and a division: the same bits on every processor.
/// Beyond |x| = 87 that of 87, of what is not a number that of -87.
template <class T>
constexpr T logistic(T x) {
  constexpr T most = -static_cast<T>(lowest_exponent);
  T const size = x < T{0} ? -x : x;
  T const small = exponential(-(size < most ? size : most));  // e^-|x|, at most 1
  return (x >= T{0} ? T{1} : small) / (T{1} + small);
}

/// out = in / (1 + e^-in); `lanes` numbers a row
template <class T>
struct silu {
  strided<T const> in;
  strided<T> out;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    T const x = in.at(j)[row * lanes + lane];
    out.at(j)[row * lanes + lane] = x * logistic(x);
  }
};

/// in_gradient = out_gradient s (1 + x (1 - s)) with s = 1 / (1 + e^-x); `lanes` numbers a row
template <class T>
struct silu_back {
  strided<T const> in;
  strided<T const> out_gradient;
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const at = row * lanes + lane;
    T const x = in.at(j)[at], s = logistic(x);
    in_gradient.at(j)[at] = out_gradient.at(j)[at] * (s * (T{1} + x * (T{1} - s)));
  }
};

}  // namespace gossip::op
