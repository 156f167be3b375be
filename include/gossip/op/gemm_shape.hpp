// The shape of a matrix product, row major.
#pragma once

#include <cstddef>

namespace gossip {

/// C (m,n) = op(A) (m,k) op(B) (k,n) [+ C]; op transposes where the flag is set.
struct gemm_shape {
  bool transpose_a, transpose_b;
  std::size_t m, n, k;
};

/// A matrix operand or result: where it begins and the numbers from one row to the next.
template <class Pointer>
struct matrix_operand {
  Pointer at;
  std::size_t row_stride;
};

}  // namespace gossip
