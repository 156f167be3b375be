// The BLAS door against products written out, and the guard that keeps it to one thread.
#include <gossip/backend/cpu/blas.hpp>

#include <omp.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/backend/openmp.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/core/random.hpp>

#include "../catch.hpp"

using gossip::gemm_shape;

namespace {

constexpr std::size_t cohort = 3;

/// One matrix a node, rows padded, with numbers in the padding too.
template <class T>
struct matrices {
  std::size_t rows, columns, row_stride, stride;
  std::vector<T> numbers;

  matrices(std::size_t rows_, std::size_t columns_, std::uint64_t draw)
      : rows(rows_),
        columns(columns_),
        row_stride(columns + 3),
        stride(rows * row_stride + 7),
        numbers(cohort * stride) {
    gossip::keyed_random random(draw, gossip::purpose::user, 0, rows * 1000 + columns);
    for (T &x : numbers) x = static_cast<T>(random.normal());
  }
  T &at(std::size_t j, std::size_t row, std::size_t column) {
    return numbers[j * stride + row * row_stride + column];
  }
  auto view() {
    return gossip::matrix_operand<gossip::strided<T>>{{numbers.data(), stride}, row_stride};
  }
  auto constant() {
    return gossip::matrix_operand<gossip::strided<T const>>{{numbers.data(), stride}, row_stride};
  }
};

template <class Worker, class T>
void check_product(gemm_shape s, T beta) {
  matrices<T> a(s.transpose_a ? s.k : s.m, s.transpose_a ? s.m : s.k, 1);
  matrices<T> b(s.transpose_b ? s.n : s.k, s.transpose_b ? s.k : s.n, 2);
  matrices<T> c(s.m, s.n, 3);
  matrices<T> before = c;
  if (beta == T{0})  // the old values must not be read
    for (std::size_t j = 0; j < cohort; ++j)
      c.at(j, s.m - 1, s.n - 1) = std::numeric_limits<T>::quiet_NaN();
  Worker const worker;
  worker.template gemm<T>(cohort, s, a.constant(), b.constant(), beta, c.view());
  CAPTURE(s.transpose_a, s.transpose_b, s.m, s.n, s.k, beta, sizeof(T));
  for (std::size_t j = 0; j < cohort; ++j)
    for (std::size_t m = 0; m < s.m; ++m)
      for (std::size_t n = 0; n < s.n; ++n) {
        long double exact = static_cast<long double>(beta) * before.at(j, m, n);
        long double magnitude = std::abs(exact);
        for (std::size_t i = 0; i < s.k; ++i) {
          long double const x = s.transpose_a ? a.at(j, i, m) : a.at(j, m, i);
          long double const y = s.transpose_b ? b.at(j, n, i) : b.at(j, i, n);
          exact += x * y;
          magnitude += std::abs(x * y);
        }
        // Half an ulp of the magnitude for each of k sums and products, and for beta's.
        long double const bound = magnitude * static_cast<long double>(s.k + 2) *
                                  static_cast<long double>(std::numeric_limits<T>::epsilon());
        REQUIRE(std::abs(c.at(j, m, n) - exact) <= bound);
        before.at(j, m, n) = c.at(j, m, n);
      }
  CHECK(c.numbers == before.numbers);  // the padding is as it was
}

template <class Worker, class T>
void check_products() {
  for (bool const transpose_a : {false, true})
    for (bool const transpose_b : {false, true})
      for (T const beta : {T{0}, T{1}, T{0.5}})
        for (auto const &[m, n, k] : {std::array<std::size_t, 3>{1, 1, 1},
                                      {2, 3, 5},
                                      {17, 16, 3},
                                      {33, 65, 31},
                                      {10, 64, 129}})
          check_product<Worker, T>({transpose_a, transpose_b, m, n, k}, beta);
}

}  // namespace

TEST_CASE("products of BLAS agree with the sum over products", "[backend]") {
  check_products<gossip::openmp::worker, float>();
  check_products<gossip::openmp::worker, double>();
}

TEST_CASE("products of the oracle agree with the sum over products", "[backend]") {
  check_products<gossip::serial::worker, float>();
  check_products<gossip::serial::worker, double>();
}

TEST_CASE("the guard keeps OpenBLAS to one thread and restores what was before", "[backend]") {
  if (!openblas_set_num_threads || !openblas_get_num_threads)
    return gossip::test::skipped("the BLAS library is not OpenBLAS");
  int const usual = openblas_get_num_threads();
  openblas_set_num_threads(2);
  int const before = openblas_get_num_threads();
  {
    gossip::blas::single_thread const guard;
    CHECK(openblas_get_num_threads() == 1);
    {
      gossip::blas::single_thread const another;
      CHECK(openblas_get_num_threads() == 1);
    }
    CHECK(openblas_get_num_threads() == 1);
  }
  CHECK(openblas_get_num_threads() == before);
  openblas_set_num_threads(usual);
}

TEST_CASE("the guard leaves OpenMP's number of threads alone", "[backend]") {
  int const usual = omp_get_max_threads();
  for (int const threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    {
      gossip::openmp::session const session;
      CHECK(omp_get_max_threads() == threads);
      CHECK(gossip::openmp{}.workers() == static_cast<std::size_t>(threads));
    }
    CHECK(omp_get_max_threads() == threads);
  }
  omp_set_num_threads(usual);
}

TEST_CASE("a product inside a loop of the backend has one thread", "[backend]") {
  // A BLAS built on OpenMP takes as many threads as the next region would have.
  int const usual = omp_get_max_threads();
  omp_set_num_threads(3);
  for (std::size_t const count : {1, 2, 3}) {
    std::vector<int> seen(count);
    gossip::openmp{}.for_each(count,
                              [&](std::size_t, std::size_t i) { seen[i] = omp_get_max_threads(); });
    CHECK(seen == std::vector<int>(count, 1));
    CHECK(omp_get_max_threads() == 3);
  }
  omp_set_num_threads(usual);
}
