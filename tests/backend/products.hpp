// Matrix products of a backend against sums of products.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gossip/op/gemm_shape.hpp>

#include "outcome.hpp"

namespace gossip::test {

/// One matrix a node, rows padded, with numbers in the padding too.
struct padded_matrix {
  std::size_t rows, columns;

  std::size_t row_stride() const { return columns + 3; }
  std::size_t stride() const { return rows * row_stride() + 7; }
  std::size_t at(std::size_t j, std::size_t row, std::size_t column) const {
    return j * stride() + row * row_stride() + column;
  }
  template <class T>
  matrix_operand<strided<T>> view(T *data) const {
    return {{data, stride()}, row_stride()};
  }
};

/// Against sums of products in long double: half an ulp of the magnitude for each product and sum,
/// and for those of beta.
template <class T, backend B>
void check_product(B const &backend, gemm_shape s, T beta) {
  constexpr std::size_t cohort = 3;
  CAPTURE(s.transpose_a, s.transpose_b, s.m, s.n, s.k, beta, sizeof(T));
  padded_matrix const a(s.transpose_a ? s.k : s.m, s.transpose_a ? s.m : s.k);
  padded_matrix const b(s.transpose_b ? s.n : s.k, s.transpose_b ? s.k : s.n);
  padded_matrix const c(s.m, s.n);
  operation_arrays<T> arrays{
      {random_numbers<T>(cohort * a.stride(), 1), random_numbers<T>(cohort * b.stride(), 2)},
      random_numbers<T>(cohort * c.stride(), 3)};
  std::vector<T> before = arrays.out;
  if (beta == T{0})  // what was there must not be read
    for (std::size_t j = 0; j < cohort; ++j)
      arrays.out[c.at(j, s.m - 1, s.n - 1)] = std::numeric_limits<T>::quiet_NaN();
  auto const got = outcome(backend, arrays, [&](auto &worker, auto in, T *out, T *) {
    worker.template gemm<T>(cohort, s, a.view<T const>(in[0]), b.view<T const>(in[1]), beta,
                            c.view(out));
  });
  for (std::size_t j = 0; j < cohort; ++j)
    for (std::size_t m = 0; m < s.m; ++m)
      for (std::size_t n = 0; n < s.n; ++n) {
        std::size_t const at = c.at(j, m, n);
        long double exact = static_cast<long double>(beta) * before[at];
        long double magnitude = std::abs(exact);
        for (std::size_t i = 0; i < s.k; ++i) {
          long double const x = arrays.in[0][s.transpose_a ? a.at(j, i, m) : a.at(j, m, i)];
          long double const y = arrays.in[1][s.transpose_b ? b.at(j, n, i) : b.at(j, i, n)];
          exact += x * y;
          magnitude += std::abs(x * y);
        }
        long double const bound = magnitude * static_cast<long double>(s.k + 2) *
                                  static_cast<long double>(std::numeric_limits<T>::epsilon());
        REQUIRE(std::abs(got[at] - exact) <= bound);
        before[at] = got[at];
      }
  CHECK(got == before);  // the padding is as it was
}

template <class T, backend B>
void check_products(B const &backend) {
  for (bool const transpose_a : {false, true})
    for (bool const transpose_b : {false, true})
      for (T const beta : {T{0}, T{1}, T{0.5}})
        for (auto const &[m, n, k] : {std::array<std::size_t, 3>{1, 1, 1},
                                      {2, 3, 5},
                                      {17, 16, 3},
                                      {33, 65, 31},
                                      {10, 64, 129}})
          check_product<T>(backend, {transpose_a, transpose_b, m, n, k}, beta);
}

}  // namespace gossip::test
