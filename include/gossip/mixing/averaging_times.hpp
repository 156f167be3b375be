// Two times of random averages on the edges of a graph, from its Laplacian and its resistances.
// A. Nabli, E. Belilovsky, E. Oyallon, "A2CiD2: accelerating asynchronous communication in
// decentralized deep learning", NeurIPS 2023.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/spectrum.hpp>

namespace gossip {

/// With L = sum over edges of rate_ij (e_i - e_j)(e_i - e_j)': algebraic is 1 / lambda_2(L), and
/// resistance half of the largest (e_i - e_j)' L^+ (e_i - e_j) over edges, never more. Both in
/// units of the time that rates count averages in.
struct averaging_times {
  double algebraic = 0.0;   // chi_1
  double resistance = 0.0;  // chi_2
};

namespace detail {

/// The lower factor's inverse C of A = C^-1 C^-T, both (n,n) by rows; A is symmetric, positive.
std::vector<double> inverse_factor(std::vector<double> a, std::size_t n);

}  // namespace detail

/// Times of averages at rate(i, j) = rate(j, i) above 0 on each edge of a connected, undirected
/// graph. O(n^3) time, 16 n^2 bytes; throws input_error above 2048 nodes, or where nodes are apart.
template <class Rate>
averaging_times times_of_averages(graph const &g, Rate rate) {
  std::size_t const n = g.nodes();
  if (n > 2048) throw input_error("times_of_averages", "at most 2048 nodes", std::to_string(n));
  if (n < 2) return {};
  double most = 0.0, share = 1.0 / static_cast<double>(n);
  std::vector<double> laplacian(n * n, share);  // (n,n) with the mean besides, so that it inverts
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (node const j : g.neighbors(i)) {
      laplacian[i * n + j] -= rate(i, std::size_t{j});
      sum += rate(i, std::size_t{j});
    }
    laplacian[i * n + i] += sum;
    most = std::max(most, sum);
  }
  auto const w = mixing_matrix::over(
      g, [&](std::size_t i, std::size_t j) { return rate(i, j) / (2.0 * most); });
  if (detail::is_in_pieces(w))
    throw input_error("times_of_averages", "a connected graph", "a graph that is not connected");
  averaging_times found{.algebraic = 1.0 / (2.0 * most * (1.0 - eigenvalues(w)[n - 2]))};
  auto const inverse = detail::inverse_factor(std::move(laplacian), n);
  for (std::size_t i = 0; i < n; ++i)
    for (node const j : g.neighbors(i)) {
      double resistance = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        double const part = inverse[k * n + i] - inverse[k * n + j];
        resistance += part * part;
      }
      found.resistance = std::max(found.resistance, resistance / 2.0);
    }
  return found;
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/averaging_times.ipp>
#endif
