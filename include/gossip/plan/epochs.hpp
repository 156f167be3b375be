// Epochs counted in whole samples, so that nothing is late by a rounding: when a period given in
// epochs is due, and how many epochs a number of node-iterations is.
#pragma once

#include <cstdint>

namespace gossip {

/// An epoch is samples / batch node-iterations of the whole network, a whole number or not.
struct epoch_length {
  std::uint64_t batch = 1;    ///< samples of a node-iteration
  std::uint64_t samples = 1;  ///< samples of the training set

  /// The epoch after so many node-iterations, correctly rounded below 2^53 samples: a decimal
  /// number of epochs that was reached exactly equals its literal.
  double after(std::uint64_t node_iterations) const {
    return static_cast<double>(node_iterations) * static_cast<double>(batch) /
           static_cast<double>(samples);
  }
};

/// The frequency of something that recurs: `periods` times in `node_iterations` of the whole
/// network, at the first node-iteration at or beyond each multiple of the quotient.
struct cadence {
  std::uint64_t node_iterations;
  std::uint64_t periods = 1;
};

namespace detail {

__extension__ typedef unsigned __int128 wide_count;

/// Beyond every run.
inline constexpr std::uint64_t most_node_iterations = std::uint64_t{1} << 53;

struct fraction {
  std::uint64_t numerator, denominator;
};

/// The fraction that a number stands for, 1e-12 < value < 1e15: itself where it has nine digits
/// or fewer, such as 1/10 of 0.1; else the first continued fraction within a billionth of
/// it, such as 1/3 of 0.3333333333333333.
fraction nearest_fraction(double value);

}  // namespace detail

/// The cadence of a period in epochs, more than 0, taken as the nearest fraction. A period below a
/// node-iteration is due at every one.
cadence every_epochs(double period, epoch_length epoch);

/// The first node-iteration after `now` at which a cadence is due.
inline std::uint64_t next_due(cadence c, std::uint64_t now) {
  detail::wide_count const multiple = detail::wide_count{now} * c.periods / c.node_iterations + 1;
  return static_cast<std::uint64_t>((multiple * c.node_iterations + c.periods - 1) / c.periods);
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/epochs.ipp>
#endif
