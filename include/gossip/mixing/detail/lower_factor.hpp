// Factors of symmetric, positive definite matrices: A = L L', A. Cholesky.
#pragma once

#include <cstddef>
#include <vector>

namespace gossip::detail {

/// The inner product, by eight sums that a compiler can take at once.
double in_lanes(double const *a, double const *b, std::size_t n);

/// The lower factor of a symmetric, positive definite matrix, in its place; false if it is not.
/// (n,n) in rows, of which the upper part is not read. O(n^3).
bool factorize(std::vector<double> &a, std::size_t n);

/// x becomes the solution of L L' y = x.
void solve(std::vector<double> const &lower, std::vector<double> &x);

/// The inverse of a lower factor, transposed. (n,n) in rows
std::vector<double> inverse_transposed(std::vector<double> const &lower, std::size_t n);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/lower_factor.ipp>
#endif
