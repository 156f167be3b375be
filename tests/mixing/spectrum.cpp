// Tests of the spectrum against closed forms.
#include <gossip/mixing/spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/mixing/detail/lanczos.hpp>
#include <gossip/mixing/max_degree.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/edge_list.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/matrix_market.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/torus.hpp>

#include "../catch.hpp"

using gossip::graph;
using gossip::metropolis_hastings;
using gossip::spectral_gap;
using gossip::detail::sparse_spectrum;

namespace {

gossip::mixing_matrix weights(graph const &g) {
  return metropolis_hastings{}.weights(g);
}

constexpr double pi = 3.14159265358979323846;

}  // namespace

TEST_CASE("the gap of a ring is 2/3 (1 - cos(2 pi / n)), dense and by Lanczos", "[mixing]") {
  std::vector<std::pair<std::size_t, double>> const table{{4, 0.666667},  {8, 0.195262},
                                                          {16, 0.050747}, {32, 0.012810},
                                                          {64, 0.003210}, {100, 0.001316}};
  for (auto const &[n, gap] : table) {
    auto const w = weights(gossip::ring{n}.build());
    CAPTURE(n);
    CHECK(spectral_gap(w).gap == Approx(gap).margin(1e-6));
    CHECK(sparse_spectrum(w).gap == Approx(gap).margin(1e-6));
    CHECK(sparse_spectrum(w).converged);
    if (n >= 8)
      CHECK(spectral_gap(w).gap ==
            Approx(2.0 / 3.0 * (1.0 - std::cos(2.0 * pi / static_cast<double>(n)))).epsilon(1e-9));
  }
}

TEST_CASE("a torus and a star have the rho of their closed forms", "[mixing]") {
  std::vector<std::pair<std::size_t, double>> const table{
      {4, 0.6}, {5, 0.7236}, {8, 0.8828}, {10, 0.9236}};
  for (auto const &[side, rho] : table) {
    auto const found = spectral_gap(weights(gossip::torus{side, side}.build()));
    CHECK(found.rho == Approx(rho).margin(6e-5));
    double const exact = (3.0 + 2.0 * std::cos(2.0 * pi / static_cast<double>(side))) / 5.0;
    CHECK(found.rho == Approx(exact).margin(1e-6));
  }
  for (std::size_t n : {3U, 4U, 17U, 100U}) {
    auto const w = weights(gossip::star{n}.build());
    CHECK(spectral_gap(w).rho == Approx(1.0 - 1.0 / static_cast<double>(n)).margin(1e-6));
    CHECK(sparse_spectrum(w).rho == Approx(1.0 - 1.0 / static_cast<double>(n)).margin(1e-6));
  }
  CHECK(gossip::eigenvalues(weights(gossip::torus{4, 4}.build())).front() == Approx(-0.6));
}

TEST_CASE("a complete graph mixes in one round", "[mixing]") {
  for (std::size_t n : {1U, 2U, 3U, 17U, 600U}) {
    auto const found = spectral_gap(weights(gossip::complete{n}.build()));
    CHECK(found.rho == Approx(0.0).margin(1e-12));
    CHECK(found.converged);
  }
}

TEST_CASE("random 8-regular graphs have the rho that is known for them", "[mixing]") {
  std::vector<std::pair<std::size_t, double>> const table{{50, 0.608}, {100, 0.654}, {500, 0.694}};
  for (auto const &[n, rho] : table) {
    std::uint64_t const draws = n < 500 ? 20 : 3;  // at n = 50 one draw has a deviation of 0.02
    double mean = 0.0;
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
      auto const w = weights(gossip::random_regular{n, 8}.build(seed));
      double const found = spectral_gap(w).rho;
      mean += found / static_cast<double>(draws);
      CHECK(sparse_spectrum(w).rho == Approx(found).margin(1e-8));
    }
    CAPTURE(n);
    CHECK(mean == Approx(rho).margin(0.03));
  }
  // In the limit of many nodes: (1 + 2 sqrt 7) / 9 (J. Friedman 2008).
  auto const many = spectral_gap(weights(gossip::random_regular{100'000, 8}.build(1)));
  CHECK(many.converged);
  CHECK(many.rho == Approx((1.0 + 2.0 * std::sqrt(7.0)) / 9.0).margin(0.002));
}

TEST_CASE("all eigenvalues of a ring are those of a circulant", "[mixing]") {
  for (std::size_t n : {1U, 2U, 3U, 17U, 64U}) {
    auto const found = gossip::eigenvalues(gossip::max_degree{}.weights(gossip::ring{n}.build()));
    std::vector<double> exact;
    for (std::size_t k = 0; k < n; ++k)
      exact.push_back(
          (1.0 + 2.0 * std::cos(2.0 * pi * static_cast<double>(k) / static_cast<double>(n))) / 3.0);
    if (n == 1) exact = {1.0};
    if (n == 2) exact = {0.0, 1.0};
    std::sort(exact.begin(), exact.end());
    CAPTURE(n);
    for (std::size_t k = 0; k < n; ++k) CHECK(found[k] == Approx(exact[k]).margin(1e-13));
  }
}

TEST_CASE("dense eigenvalues keep trace and squared norm of an irregular matrix", "[mixing]") {
  auto const w = weights(gossip::erdos_renyi{120, 0.08}.build(4));
  double trace = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < w.rows(); ++i) {
    trace += w.at(i, i);
    for (double const value : w.row(i).values) square += value * value;
  }
  for (double const value : gossip::eigenvalues(w)) {
    trace -= value;
    square -= value * value;
  }
  CHECK(std::abs(trace) < 1e-12);
  CHECK(std::abs(square) < 1e-12);
  CHECK(gossip::eigenvalues(w).back() == Approx(1.0).epsilon(1e-13));
}

TEST_CASE("a negative end of the spectrum counts", "[mixing]") {
  // Two nodes that exchange: eigenvalues 1 and -1 are never mixed.
  gossip::mixing_matrix const swap({0, 2, 4}, {0, 1, 0, 1}, {0.0, 1.0, 1.0, 0.0});
  CHECK(spectral_gap(swap).rho == Approx(1.0));
  CHECK(sparse_spectrum(swap).rho == Approx(1.0));
}

TEST_CASE("a network in pieces has no gap", "[mixing]") {
  for (std::size_t half : {3U, 400U}) {
    std::vector<gossip::edge> edges = gossip::random_regular{half, 2}.build(1).edge_list();
    std::size_t const count = edges.size();
    for (std::size_t k = 0; k < count; ++k)
      edges.push_back({static_cast<gossip::node>(edges[k].from + half),
                       static_cast<gossip::node>(edges[k].to + half)});
    auto const found = spectral_gap(weights(graph::undirected(2 * half, edges)));
    CAPTURE(half);
    CHECK(found.gap == 0.0);
    CHECK(found.rho == 1.0);
    CHECK(found.converged);
  }
}

TEST_CASE("negative weights may move the network apart", "[mixing]") {
  gossip::mixing_matrix const two({0, 2, 4}, {0, 1, 0, 1}, {1.5, -0.5, -0.5, 1.5});
  CHECK(spectral_gap(two).rho == Approx(2.0).epsilon(1e-14));
  // On a ring W = I + 0.1 L has the eigenvalues 1 + 0.2 (1 - cos(2 pi k / n)), at most 1.4.
  for (std::size_t n : {16U, 600U}) {
    auto const w = gossip::mixing_matrix::over(gossip::ring{n}.build(),
                                               [](std::size_t, std::size_t) { return -0.1; });
    CAPTURE(n);
    CHECK(spectral_gap(w).rho == Approx(1.4).epsilon(1e-6));
    CHECK(spectral_gap(w).gap == Approx(-0.4).epsilon(1e-6));
  }
  // In pieces such a matrix has no gap of 0 either.
  gossip::mixing_matrix const apart({0, 2, 4, 5}, {0, 1, 0, 1, 2}, {1.5, -0.5, -0.5, 1.5, 1.0});
  CHECK(spectral_gap(apart).rho == Approx(2.0).epsilon(1e-14));
}

TEST_CASE("rho of a matrix that is not symmetric is the norm of W - J", "[mixing]") {
  // The directed ring with weights 1/2 is normal: |1 + e^(2 pi i / n)| / 2 = cos(pi / n).
  for (std::size_t n : {3U, 17U, 64U}) {
    std::vector<gossip::edge> arcs;
    for (std::size_t i = 0; i < n; ++i)
      arcs.push_back({static_cast<gossip::node>(i), static_cast<gossip::node>((i + 1) % n)});
    auto const found = spectral_gap(gossip::uniform_neighbor{}.weights(graph::directed(n, arcs)));
    CHECK(found.rho == Approx(std::cos(pi / static_cast<double>(n))).margin(1e-9));
    CHECK(found.converged);
  }
  // W - J = (c, -c) with c = (-0.4, -0.3): its norm is sqrt(2) / 2, though lambda_2 is -0.1.
  gossip::mixing_matrix const w({0, 2, 4}, {0, 1, 0, 1}, {0.1, 0.9, 0.2, 0.8});
  CHECK(spectral_gap(w).rho == Approx(std::sqrt(0.5)).margin(1e-12));
  CHECK_THROWS_WITH(
      gossip::eigenvalues(w),
      "eigenvalues: expected a symmetric matrix, got 0.9 of node 0 for 1 and 0.2 of node "
      "1 for 0");
}

TEST_CASE("the distance to the mean shrinks as the gap says", "[mixing]") {
  auto const w = weights(gossip::ring{16}.build());
  double const rho = spectral_gap(w).rho;
  std::vector<double> x(16);
  for (std::size_t i = 0; i < 16; ++i) x[i] = i == 3 ? 1.0 : 0.0;
  gossip::detail::subtract_mean(x);
  std::vector<double> next(16);
  double before = 1.0;
  for (int k = 0; k < 300; ++k) {
    double const distance = std::sqrt(gossip::detail::inner_product(x, x));
    if (k > 0) CHECK(distance <= rho * before * (1.0 + 1e-9));
    if (k > 200) CHECK(distance / before == Approx(rho).epsilon(1e-6));
    before = distance;
    gossip::detail::multiply(w, x, next);
    x.swap(next);
  }
}

TEST_CASE("a gap that takes too long is a bound from above and says so", "[mixing]") {
  auto const found = spectral_gap(weights(gossip::ring{100'000}.build()));
  CHECK_FALSE(found.converged);
  CHECK(found.gap > 2.0 / 3.0 * (1.0 - std::cos(2.0 * pi / 100'000.0)));
  CHECK(found.gap < 1e-3);
}

TEST_CASE("published networks have gaps that converge in bounded time", "[mixing]") {
  auto const folder = gossip::test::data("graphs");
  if (!folder) return;
  auto const science =
      weights(gossip::matrix_market{(*folder / "ca-netscience.mtx").string()}.build());
  CHECK(spectral_gap(science).gap == Approx(9.9e-4).margin(5e-6));
  CHECK(sparse_spectrum(science).gap == Approx(spectral_gap(science).gap).epsilon(1e-6));
  CHECK(sparse_spectrum(science).converged);

  auto const facebook = spectral_gap(
      weights(gossip::edge_list{(*folder / "facebook_combined.txt.gz").string()}.build()));
  CHECK(facebook.converged);
  CHECK((facebook.gap > 0.0 && facebook.gap <= 1.7e-3));
  auto const power = spectral_gap(
      weights(gossip::matrix_market{(*folder / "power-US-Grid.mtx").string()}.build()));
  CHECK(power.converged);
  CHECK((power.gap > 0.0 && power.gap < 1e-3));
}

TEST_CASE("the smallest eigenvalue of rings, tori and hypercubes is that of their closed forms",
          "[mixing]") {
  CHECK(gossip::smallest_eigenvalue(weights(gossip::ring{8}.build())) == Approx(-1.0 / 3));
  CHECK(gossip::smallest_eigenvalue(weights(gossip::ring{600}.build())) == Approx(-1.0 / 3));
  CHECK(gossip::smallest_eigenvalue(weights(gossip::torus{4, 4}.build())) == Approx(-0.6));
  CHECK(gossip::smallest_eigenvalue(weights(gossip::torus{30, 30}.build())) == Approx(-0.6));
  CHECK(gossip::smallest_eigenvalue(weights(gossip::hypercube{3}.build())) == Approx(-0.5));
  CHECK(gossip::smallest_eigenvalue(weights(gossip::complete{600}.build())) ==
        Approx(0.0).margin(1e-9));
  CHECK(gossip::smallest_eigenvalue(weights(graph::undirected(1, {}))) == 1.0);
}

TEST_CASE("the gap of weights that change is that of a round of their period",
          "[mixing][spectrum]") {
  using gossip::mixing_matrix;
  // Twice the same matrix: that of one. One-peer rounds of 2^tau nodes: the mean after a period.
  auto const w = metropolis_hastings{}.weights(gossip::ring{.nodes = 12}.build());
  double const gap = spectral_gap(w).gap;
  CHECK(spectral_gap(gossip::by_round<mixing_matrix>(std::vector{w, w})).gap ==
        Approx(gap).epsilon(1e-6));
  CHECK(spectral_gap(gossip::by_round<mixing_matrix>(w)).gap == gap);
  gossip::by_round<mixing_matrix> const peers =
      gossip::one_peer{}.weights(gossip::exponential{16}.build());
  CHECK(spectral_gap(peers).gap == 1.0);
  // Circulants of 6 nodes: the largest product of |1 + e^(i 2 pi k 2^t / 6)| / 2 is sqrt(3) / 8.
  gossip::by_round<mixing_matrix> const six =
      gossip::one_peer{}.weights(gossip::exponential{6}.build());
  CHECK(spectral_gap(six).rho == Approx(std::cbrt(std::sqrt(3.0) / 8)).epsilon(1e-6));
}
