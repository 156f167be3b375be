// Tests of EquiTopo's static networks: shared offsets, and the speed of mixing with their weights
// in closed form, by all singular values, and as the paper bounds it.
#include <gossip/topology/equi_static.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include <gossip/mixing/equi_weights.hpp>
#include <gossip/mixing/spectrum.hpp>

#include "files.hpp"
#include "numbers_of_nodes.hpp"

using gossip::equi_static;
using gossip::equi_weights;
using gossip::mixing_matrix;

namespace {

constexpr double pi = 3.14159265358979323846;

/// The first row of a circulant matrix times e^(2 pi i k a / n): its eigenvalue number k.
double magnitude(mixing_matrix const &w, std::size_t k) {
  auto const row = w.row(0);
  std::complex<double> sum = 0;
  for (std::size_t c = 0; c < row.columns.size(); ++c) {
    double const turn = static_cast<double>(k * row.columns[c] % w.rows());
    sum += std::polar(row.values[c], 2 * pi * turn / static_cast<double>(w.rows()));
  }
  return std::abs(sum);
}

double rho_of_circulant(mixing_matrix const &w) {
  double most = 0;
  for (std::size_t k = 1; k < w.rows(); ++k) most = std::max(most, magnitude(w, k));
  return most;
}

/// The largest singular value but one, from all eigenvalues of W'W.
double second_singular_value(mixing_matrix const &w) {
  std::size_t const n = w.rows();
  std::vector<double> product(n * n, 0.0);  // (n,n)
  for (std::size_t i = 0; i < n; ++i) {
    auto const row = w.row(i);
    for (std::size_t a = 0; a < row.columns.size(); ++a)
      for (std::size_t b = 0; b < row.columns.size(); ++b)
        product[row.columns[a] * n + row.columns[b]] += row.values[a] * row.values[b];
  }
  std::vector<std::size_t> offsets{0};
  std::vector<gossip::node> columns;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) columns.push_back(static_cast<gossip::node>(j));
    offsets.push_back(columns.size());
  }
  return std::sqrt(gossip::eigenvalues({offsets, columns, product})[n - 2]);
}

mixing_matrix weights(equi_static const &made, std::uint64_t seed) {
  return equi_weights{}.weights(made.build(seed))[0];
}

}  // namespace

TEST_CASE("all nodes share so many distinct offsets, and the network is connected", "[topology]") {
  for (std::size_t const n : {2U, 3U, 8U, 17U, 30U})
    for (bool const directed : {true, false})
      for (std::size_t m = 1; m <= (directed ? n - 1 : n / 2); ++m) {
        CAPTURE(n, m, directed);
        auto const g = equi_static{n, m, directed}.build(m);
        CHECK(g.dropped().duplicates == 0);
        CHECK(g.directed() == directed);
        CHECK(gossip::is_connected(g));
        CHECK(g == equi_static{n, m, directed}.build(m));
        std::size_t common = n;
        bool opposite = false;
        for (gossip::node const a : g.neighbors(0)) {
          common = std::gcd(common, std::size_t{a});
          opposite = opposite || (!directed && std::size_t{2} * a == n);
          for (std::size_t i = 0; i < n; ++i) CHECK(g.has_edge(i, (i + a) % n));
        }
        CHECK(common == 1);
        CHECK(g.edges() == n * m - (opposite ? n / 2 : 0));
        for (std::size_t i = 0; i < n; ++i) CHECK(g.degree(i) == g.degree(0));
      }
}

TEST_CASE("every offset is drawn as often as any other, undirected as often as a and nodes - a",
          "[topology]") {
  // One of 11 offsets of 12 nodes; connected are 1, 5, 7, 11. Two of 12 of 13 nodes, all connected.
  constexpr std::size_t draws = 12'000;
  std::vector<std::size_t> of_twelve(12, 0), of_thirteen(13, 0);
  std::size_t opposite = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    ++of_twelve[equi_static{12, 1, true}.build(seed).neighbors(0)[0]];
    auto const g = equi_static{13, 2, true}.build(seed);
    for (gossip::node const a : g.neighbors(0)) ++of_thirteen[a];
    opposite += equi_static{6, 2}.build(seed).degree(0) == 3;
  }
  // Deviations of counts: 47.4 of 3,000, 40.8 of 2,000, 54.6 of 5,600.
  for (std::size_t const a : {1U, 5U, 7U, 11U})
    CHECK(static_cast<double>(of_twelve[a]) == Approx(3000).margin(200));
  for (std::size_t a = 1; a < 13; ++a)
    CHECK(static_cast<double>(of_thirteen[a]) == Approx(2000).margin(170));
  // Of 6 nodes 1 and 2 have weights of 2/5 and 3 of 1/5: 1 - 2 (2/5) (2/3) of pairs have 3.
  CHECK(static_cast<double>(opposite) == Approx(5600).margin(220));
}

TEST_CASE("rho of static weights is that of their circulant, by all singular values and Lanczos",
          "[topology]") {
  for (std::size_t const n : {5U, 16U, 33U, 64U})
    for (bool const directed : {true, false})
      for (std::size_t const m : {1U, 2U}) {
        CAPTURE(n, m, directed);
        auto const w = weights({n, m, directed}, 7);
        double const rho = rho_of_circulant(w);
        CHECK(second_singular_value(w) == Approx(rho).epsilon(1e-9).margin(1e-7));
        CHECK(gossip::spectral_gap(w).rho == Approx(rho).epsilon(1e-6).margin(1e-7));
        if (!directed) CHECK(w.is_symmetric());
      }
}

TEST_CASE("X <- W X reaches the mean at the rate of the second singular value", "[topology]") {
  for (bool const directed : {true, false}) {
    auto const w = weights({64, 6, directed}, 3);
    double const rho = second_singular_value(w);
    CAPTURE(directed, rho);
    std::vector<double> x = gossip::test::scattered_numbers(64, 1), y(64);
    for (int t = 0; t < 30; ++t) {
      double const before = gossip::test::squares(x);
      gossip::detail::multiply(w, x, y);
      x.swap(y);
      CHECK(std::sqrt(gossip::test::squares(x) / before) <= rho * (1 + 1e-12));
    }
    // The wave of the slowest eigenvalue shrinks by just that.
    std::size_t slowest = 1;
    for (std::size_t k = 2; k < 64; ++k)
      if (magnitude(w, k) > magnitude(w, slowest)) slowest = k;
    for (std::size_t i = 0; i < 64; ++i)
      x[i] = std::cos(2 * pi * static_cast<double>(i * slowest % 64) / 64);
    double const begin = gossip::test::squares(x);
    for (int t = 0; t < 30; ++t) {
      gossip::detail::multiply(w, x, y);
      x.swap(y);
    }
    CHECK(std::pow(gossip::test::squares(x) / begin, 1.0 / 60) == Approx(rho).epsilon(1e-9));
  }
}

TEST_CASE("all offsets together give every node the mean", "[topology]") {
  auto const w = weights({17, 16, true}, 1);
  for (std::size_t i = 0; i < 17; ++i)
    for (std::size_t j = 0; j < 17; ++j) CHECK(w.at(i, j) == Approx(1.0 / 17).epsilon(1e-12));
}

TEST_CASE("a round leaves (n - 1 - M) / (n M) of the variance on average, below 1 / M for all n",
          "[topology]") {
  // Sum of A_a over a = (n - 1) J, and the mean of |A_a x|^2 is (1 - 2 / n) |x|^2 where x has mean
  // 0; M of n - 1 without replacement have a mean of variance (n - 1 - M) / (M (n - 2)) of that. Of
  // prime n all offsets connect.
  constexpr std::size_t m = 4, seeds = 2000;
  for (std::size_t const n : {17U, 61U, 509U}) {
    auto const x = gossip::test::scattered_numbers(n, n);
    std::vector<double> y(n);
    double sum = 0, sum_of_squares = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      gossip::detail::multiply(weights({n, m, true}, seed), x, y);
      double const left = gossip::test::squares(y) / gossip::test::squares(x);
      sum += left;
      sum_of_squares += left * left;
    }
    double const mean = sum / seeds;
    double const error = std::sqrt((sum_of_squares / seeds - mean * mean) / seeds);
    double const expected = static_cast<double>(n - 1 - m) / static_cast<double>(n * m);
    CAPTURE(n, mean, expected, error);
    CHECK(std::abs(mean - expected) < 4 * error);
    CHECK(error < 0.02 * expected);
    CHECK(expected < 1.0 / m);
  }
}

TEST_CASE("8 ln(2 n / p) / (3 eps^2) offsets have rho below eps with a chance of 1 - p",
          "[topology]") {
  // The paper's bound with eps = 0.8 and p = 0.1 from 64 to 512 nodes: a rate that does not
  // grow with n. Of 20 draws more than 5 would fail with a chance of 1 %.
  for (std::size_t const n : {64U, 128U, 256U, 512U})
    for (bool const directed : {true, false}) {
      auto const m = static_cast<std::size_t>(8 * std::log(2 * static_cast<double>(n) / 0.1) /
                                              (3 * 0.8 * 0.8));
      std::size_t failed = 0;
      double most = 0;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        double const rho = rho_of_circulant(weights({n, m, directed}, seed));
        failed += rho >= 0.8;
        most = std::max(most, rho);
      }
      CAPTURE(n, m, directed, most);
      CHECK(failed <= 5);
    }
}

TEST_CASE("static networks that do not exist are refused in a sentence", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(equi_static{0, 1}) == "equi_static: nodes must be at least 1, got 0");
  CHECK(refusal(equi_static{9, 0}) == "equi_static: offsets must be at least 1, got 0");
  CHECK(refusal(equi_static{9, 5}) ==
        "equi_static: offsets: expected at most 4 (nodes / 2), got 5");
  CHECK(refusal(equi_static{9, 9, true}) ==
        "equi_static: offsets: expected at most 8 (nodes - 1), got 9");
  CHECK(equi_static{1, 4}.build(1).nodes() == 1);
  CHECK(equi_static{1, 4, true}.build(1).directed());
  CHECK(equi_static{100'000, 8}.build(1).edges() > 799'999 - 50'000);
}
