// Steps between virtual time and the numbers that durations are computed from.
#pragma once

#include <cstdint>

#include <gossip/core/node.hpp>

namespace gossip {

/// The nearest whole number of nanoseconds, of a number in [0, 2^63).
inline virtual_time nearest_nanosecond(double nanoseconds) {
  return virtual_time(static_cast<std::int64_t>(nanoseconds + 0.5));
}

/// The nearest whole number of nanoseconds. Throws input_error, naming where, for a negative
/// number, for one of 2^63 (292 years) or more, and for what is not a number.
virtual_time whole_nanoseconds(double nanoseconds, char const *where);

/// So many times a time. Throws error from 2^63 ns (292 years) on.
virtual_time repeated(std::uint64_t count, virtual_time t);

/// The mean of a compute-time model, in nanoseconds. Throws input_error, naming the model, below
/// 1 ns.
double checked_mean(char const *model, virtual_time mean);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/whole_nanoseconds.ipp>
#endif
