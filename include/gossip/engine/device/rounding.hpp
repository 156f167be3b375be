// Gradients in 16 bits on a device: parameters rounded for a cohort, its gradients rounded and
// freed of their scale, gradients that overflowed marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/backend/multiplication.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/op/split_index.hpp>

namespace gossip {

namespace device_op {

/// The parameters in rows (k,d), statistics behind them left alone, rounded.
template <class Format, class T>
struct round_parameters {
  T *rows;
  std::size_t d, parameters;

  constexpr void operator()(std::size_t index) const {
    auto const [j, c] = op::split_index(index, parameters);
    T &x = rows[j * d + c];
    x = rounded<Format>(x);
  }
};

/// The same numbers of gradients (k,d), without their scales (k); marks what is not finite.
template <class Format, class T>
struct round_gradients {
  T *gradients;
  T const *scales;  // null: 1
  std::uint32_t *overflowed;
  std::size_t d, parameters;

  constexpr void operator()(std::size_t index) const {
    auto const [j, c] = op::split_index(index, parameters);
    T &g = gradients[j * d + c];
    g = rounded_gradient<Format>(g, scales ? scales + j : nullptr);
    constexpr T largest = std::numeric_limits<T>::max();
    if (scales && !(g >= -largest && g <= largest)) overflowed[j] = 1;
  }
};

}  // namespace device_op

/// A worker of the precision: the plain one, or one whose layers round what they write, and whose
/// products are computed by tensor cores where it has them: their factors are numbers of the format
/// already.
template <class Precision, class Worker>
decltype(auto) worker_of_precision(Worker &plain) {
  if constexpr (Precision::rounds) {
    using format = typename Precision::format;
    detail::rounding_worker<Worker, format> rounding{plain};
    constexpr bool is_fp16 = std::is_same_v<format, fp16>;
    if constexpr (requires { rounding.multiply(multiplication::bf16); })
      rounding.multiply(is_fp16 ? multiplication::fp16 : multiplication::bf16);
    return rounding;
  } else {
    return (plain);
  }
}

}  // namespace gossip
