// Definitions of mixing/spectrum.hpp.
#pragma once

#include <gossip/mixing/spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/mixing/detail/lanczos.hpp>
#include <gossip/mixing/detail/tridiagonal.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<double> eigenvalues(mixing_matrix const &w) {
  std::size_t const n = w.rows();
  if (n > 4096) throw input_error("eigenvalues", "at most 4096 rows", std::to_string(n));
  if (auto const entry = w.asymmetry())
    throw input_error("eigenvalues", "a symmetric matrix", in_words(*entry));
  std::vector<double> full(n * n, 0.0);  // (n,n)
  for (std::size_t i = 0; i < n; ++i) {
    auto const row = w.row(i);
    for (std::size_t k = 0; k < row.columns.size(); ++k)
      full[i * n + row.columns[k]] = row.values[k];
  }
  detail::tridiagonal t = detail::reduce(full, n);
  std::vector<double> unused(n, 0.0);
  detail::diagonalize(t, unused);
  std::sort(t.diagonal.begin(), t.diagonal.end());
  return t.diagonal;
}

namespace detail {

GOSSIP_INLINE void multiply(mixing_matrix const &w, std::vector<double> const &x,
                            std::vector<double> &y) {
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const row = w.row(i);
    double sum = 0.0;
    for (std::size_t k = 0; k < row.columns.size(); ++k) sum += row.values[k] * x[row.columns[k]];
    y[i] = sum;
  }
}

/// y = W' x.
GOSSIP_INLINE void multiply_transposed(mixing_matrix const &w, std::vector<double> const &x,
                                       std::vector<double> &y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const row = w.row(i);
    for (std::size_t k = 0; k < row.columns.size(); ++k) y[row.columns[k]] += row.values[k] * x[i];
  }
}

GOSSIP_INLINE std::size_t most_iterations(mixing_matrix const &w) {
  std::size_t const work = 2 * w.entries() + 16 * w.rows() + 1;  // operations of one, about
  return std::clamp<std::size_t>(1'500'000'000 / work, 50, 4000);
}

GOSSIP_INLINE spectrum sparse_spectrum(mixing_matrix const &w, double relative) {
  std::size_t const n = w.rows(), most = most_iterations(w);
  if (w.is_symmetric()) {
    auto const found =
        lanczos(n, most, relative, [&w](auto const &x, auto &y) { multiply(w, x, y); });
    return {1.0 - found.magnitude, found.magnitude, found.converged, found.iterations};
  }
  std::vector<double> mixed(n);  // (n)
  auto const found = lanczos(n, most, relative, [&](auto const &x, auto &y) {
    multiply(w, x, mixed);  // W - J on vectors of mean 0
    multiply_transposed(w, mixed, y);
  });
  double const rho = std::sqrt(found.magnitude);
  return {1.0 - rho, rho, found.converged, found.iterations};
}

}  // namespace detail

GOSSIP_INLINE spectrum spectral_gap(mixing_matrix const &w) {
  if (w.rows() == 0) throw input_error("spectral_gap", "at least one row", "none");
  if (w.rows() == 1) return {1.0, 0.0, true, 0};
  if (detail::is_in_pieces(w) && w.is_doubly_stochastic()) return {0.0, 1.0, true, 0};
  if (w.rows() > 500 || !w.is_symmetric()) return detail::sparse_spectrum(w);
  std::vector<double> all = eigenvalues(w);
  all.erase(std::min_element(all.begin(), all.end(), [](double a, double b) {
    return std::abs(a - 1.0) < std::abs(b - 1.0);  // the mean's, the last if no weight is negative
  }));
  double const rho = std::max(std::abs(all.front()), std::abs(all.back()));
  return {1.0 - rho, rho, true, 0};
}

namespace detail {

/// now <- W^rounds now for one round of multiply(from, to), which is left out from where it changes
/// nothing any more: rounds without edges, or so many that all agree.
template <class Multiply>
void repeat_round(round_number rounds, std::vector<double> &now, std::vector<double> &next,
                  Multiply multiply) {
  for (round_number k = 0; k < rounds; ++k) {
    multiply(now, next);
    double change = 0, size = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      change = std::max(change, std::abs(next[i] - now[i]));
      size = std::max(size, std::abs(now[i]));
    }
    now.swap(next);
    if (change <= 1e-15 * size) return;
  }
}

}  // namespace detail

GOSSIP_INLINE spectrum spectral_gap(by_round<mixing_matrix> const &w) {
  if (w.empty()) throw input_error("spectral_gap", "at least one round", "none");
  round_number const period = w.period();
  if (period == 0) return spectral_gap(w.values().back());
  if (w[0].rows() == 1) return {1.0, 0.0, true, 0};
  std::size_t const n = w[0].rows(), stretches = w.values().size();
  std::size_t const most =
      std::max<std::size_t>(20, detail::most_iterations(w[0]) / static_cast<std::size_t>(period));
  std::vector<double> now, next(n);  // (n)
  auto const found = detail::lanczos(n, most, 1e-6, [&](auto const &x, auto &y) {
    now = x;
    auto const rounds_of = [&](std::size_t s) {
      return (s + 1 < stretches ? w.first()[s + 1] : period) - w.first()[s];
    };
    for (std::size_t s = 0; s < stretches; ++s)
      detail::repeat_round(rounds_of(s), now, next, [&](auto const &from, auto &to) {
        detail::multiply(w.values()[s], from, to);
      });
    for (std::size_t s = stretches; s-- > 0;)
      detail::repeat_round(rounds_of(s), now, next, [&](auto const &from, auto &to) {
        detail::multiply_transposed(w.values()[s], from, to);
      });
    y = now;
  });
  double const product = std::sqrt(found.magnitude);
  double const rho = product < 1e-12 ? 0.0 : std::pow(product, 1.0 / static_cast<double>(period));
  return {1.0 - rho, rho, found.converged, found.iterations};
}

GOSSIP_INLINE double smallest_eigenvalue(mixing_matrix const &w) {
  std::size_t const n = w.rows();
  if (n <= 500) return eigenvalues(w).front();
  auto const found =
      detail::lanczos(n, detail::most_iterations(w), 1e-6, [&w](auto const &x, auto &y) {
        detail::multiply(w, x, y);
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] - y[i];
      });
  return 1.0 - found.magnitude;
}

GOSSIP_INLINE double second_eigenvalue(mixing_matrix const &w) {
  std::size_t const n = w.rows();
  if (n <= 500) return eigenvalues(w)[n - 2];
  auto const found =
      detail::lanczos(n, detail::most_iterations(w), 1e-6, [&w](auto const &x, auto &y) {
        detail::multiply(w, x, y);  // (I + W) / 2, whose eigenvalues are not negative
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = (x[i] + y[i]) / 2;
      });
  return 2.0 * found.magnitude - 1.0;
}

}  // namespace gossip
