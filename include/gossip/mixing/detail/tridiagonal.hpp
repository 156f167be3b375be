// Eigenvalues of symmetric matrices: Householder reduction to three diagonals, then implicit QL.
// G. Golub, C. Van Loan, "Matrix Computations", sections 8.3.1 and 8.3.3. No function of the C
// library but sqrt is used, so the figures are the same on every machine.
#pragma once

#include <cstddef>
#include <vector>

namespace gossip::detail {

/// A symmetric matrix of three diagonals.
struct tridiagonal {
  std::vector<double> diagonal;  // (n)
  std::vector<double> beside;    // (n) beside[i] couples i and i + 1; the last one is 0
};

/// One rotation sweep of implicit QL on rows first..last; false if it came apart on the way.
bool sweep(tridiagonal &t, std::vector<double> &tracked, std::size_t first, std::size_t last);

/// Replaces the diagonal by the eigenvalues (in no order) and the tracked row r by r Q, Q the
/// eigenvectors as columns. Absolute error about 1e-16 of the largest entry, times a small factor.
void diagonalize(tridiagonal &t, std::vector<double> &tracked);

/// Reflects a full symmetric matrix (n,n), destroyed on the way, to one of three diagonals.
/// 4/3 n^3 multiplications and as many additions.
tridiagonal reduce(std::vector<double> &a, std::size_t n);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/tridiagonal.ipp>
#endif
