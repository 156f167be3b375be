// Mixing speed of a network: the spectrum of a mixing matrix.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/graph/components.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// Contraction of the distance to the mean by a round, at worst: rho = ||W - J||_2, J = 1 1' / n.
/// Where W is not doubly stochastic the mean moves: rho may be above 1 and the gap below 0.
struct spectrum {
  double gap = 0.0;        // 1 - rho
  double rho = 0.0;        // max(|lambda_2|, |lambda_n|) if W is symmetric
  bool converged = false;  // the gap is known to 1e-6 of itself; if not, it is smaller than given
  std::size_t iterations = 0;  // of Lanczos; 0 if there was no need for it
};

/// All eigenvalues of a symmetric W, ascending. O(n^3) time, 8 n^2 bytes; at most 4096 rows.
std::vector<double> eigenvalues(mixing_matrix const &w);

namespace detail {

/// y = W x.
void multiply(mixing_matrix const &w, std::vector<double> const &x, std::vector<double> &y);

/// Iterations of Lanczos that take about two seconds.
std::size_t most_iterations(mixing_matrix const &w);

/// By Lanczos, for any n: on W if it is symmetric, else on (W - J)'(W - J), whose root is rho.
/// Lanczos keeps to vectors of mean 0, so it takes care of the J.
spectrum sparse_spectrum(mixing_matrix const &w, double relative = 1e-6);

/// Whether some nodes never hear of some others, also by way of third ones.
inline bool is_in_pieces(mixing_matrix const &w) {
  return components(w.rows(), [&w](std::size_t i) { return w.row(i).columns; }).sizes.size() > 1;
}

}  // namespace detail

/// The spectral gap 1 - rho: 0 where doubly stochastic weights have several components, else from
/// all eigenvalues if W is symmetric and small, by Lanczos if not. Takes at most about two seconds
/// up to a million entries; `converged` tells if that was enough.
spectrum spectral_gap(mixing_matrix const &w);

/// The gap of a round of weights that change: rho is the root, of as many rounds, of || P - J ||
/// with P the product of a period, 0 where that is rounding alone. Where the last matrix stays, of
/// that one.
spectrum spectral_gap(by_round<mixing_matrix> const &w);

/// The smallest eigenvalue of a symmetric, doubly stochastic W: from all of them up to 500 rows, by
/// Lanczos on I - W above, to 1e-6 of its distance to 0 or what about two seconds allow.
double smallest_eigenvalue(mixing_matrix const &w);

/// The largest eigenvalue but one of a symmetric, doubly stochastic W of at least two rows, as
/// exactly as the smallest.
double second_eigenvalue(mixing_matrix const &w);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/spectrum.ipp>
#endif
