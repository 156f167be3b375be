// Definitions of mixing/detail/best_connectivity.hpp.
#pragma once

#include <gossip/mixing/detail/best_connectivity.hpp>

#include <utility>

#include <gossip/core/inline.hpp>
#include <gossip/mixing/detail/restricted_program.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::vector<double> best_connectivity::probabilities(double relative) && {
  std::vector<double> p = found_;
  double left = std::numeric_limits<double>::infinity();
  for (int round = 0; work_ < most_work; ++round) {
    look(p);
    double const now = bound_ - reached_;
    if (!(now > relative * reached_) || !(reached_ > 0)) break;
    if (round % 8 == 7 && !(now < 0.7 * std::exchange(left, now))) break;
    widen();
    p = within_space(relative);
  }
  return std::move(found_);
}

GOSSIP_INLINE void best_connectivity::look(std::vector<double> const &p) {
  lowest_.approach(laplacian_.nodes(), 2 * std::ranges::max(laplacian_.degrees(p)), 4, 1e-3,
                   [&](auto const &x, auto &y) { laplacian_.multiply(p, x, y); });
  work_ += lowest_.products * laplacian_.cost();
  if (lowest_.values[0] > reached_) reached_ = lowest_.values[0], found_ = p;
}

GOSSIP_INLINE void best_connectivity::widen() {
  std::size_t const count = space_.count, more = std::min(added, lowest_.vectors.count);
  side_by_side_vectors both(laplacian_.nodes(), count + more);
  for (std::size_t i = 0; i < both.rows; ++i) {
    if (count > 0) std::copy_n(space_.row(i), count, both.row(i));
    std::copy_n(lowest_.vectors.row(i), more, both.row(i) + count);
  }
  space_ = orthonormal(both);
}

GOSSIP_INLINE std::vector<double> best_connectivity::within_space(double relative) {
  std::size_t const k = space_.count, count = found_.size();
  auto matrices = laplacian_.within(space_);
  double trace = 0;  // of the sum
  for (auto &one : matrices) {
    for (double &value : one) value /= reached_;  // t is near 1
    for (std::size_t i = 0; i < k; ++i) trace += one[i * k + i];
  }
  // t of any p is at most the mean of the eigenvalues where all are 1
  double const before = std::min(bound_ / reached_, trace / static_cast<double>(k));
  restricted_program program(std::move(matrices), k, budget_ * static_cast<double>(count));
  std::vector<double> inside = found_;  // and away from what bounds p
  double const even = std::min(0.1, before - 1);
  for (double &one : inside) one += even * (budget_ - one);
  std::vector<double> p = program.improved(inside, before, [&](double bound) {
    return std::max(0.1 * (std::min(before, bound) - 1), 0.3 * relative);
  });
  bound_ = std::min(bound_, program.bound() * reached_);
  work_ += program.work();
  std::size_t const kept = std::min(k, most_kept());
  space_ = times(space_, all_eigenpairs(program.sum(p), k).vectors, kept);
  return p;
}

}  // namespace gossip::detail
