// Rounding of a row to a floating-point format of 16 bits, where it lies.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/float16.hpp>
#include <gossip/op/column.hpp>

namespace gossip::op {

/// x_0 <- the number of the format nearest to x_0, of two the even one; infinity beyond the
/// largest.
template <class Format>
struct rounding {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = rounded<Format>(x[0]);
  }
};
static_assert(column_function<rounding<bf16>>);

}  // namespace gossip::op
