// Definitions of clock/shifted_exponential_time.hpp.
#pragma once

#include <gossip/clock/shifted_exponential_time.hpp>

#include <algorithm>
#include <string>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

GOSSIP_INLINE virtual_time shifted_exponential_time::draws::duration(std::uint64_t seed, node i,
                                                                     std::uint64_t step) const {
  double const u = 1.0 - keyed_random(seed, purpose::compute_time, i, step).uniform();
  return std::max(virtual_time(1), whole_nanoseconds(shift - scale * elementary::log(u),
                                                     "shifted_exponential_time: duration"));
}

GOSSIP_INLINE shifted_exponential_time::draws shifted_exponential_time::prepare() const {
  checked_mean("shifted_exponential_time", mean);
  if (shift < virtual_time(0) || shift > mean)
    throw input_error("shifted_exponential_time: shift",
                      "0 ns to the mean, " + std::to_string(mean.count()) + " ns",
                      std::to_string(shift.count()) + " ns");
  return {.shift = static_cast<double>(shift.count()),
          .scale = static_cast<double>((mean - shift).count())};
}

}  // namespace gossip
