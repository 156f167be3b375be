// Definitions of clock/pareto_time.hpp.
#pragma once

#include <gossip/clock/pareto_time.hpp>

#include <algorithm>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

GOSSIP_INLINE virtual_time pareto_time::draws::duration(std::uint64_t seed, node i,
                                                        std::uint64_t step) const {
  double const u = 1.0 - keyed_random(seed, purpose::compute_time, i, step).uniform();
  double const factor = elementary::exp(-power * elementary::log(u));  // u^(-1 / shape) < 2^53
  return std::max(virtual_time(1), whole_nanoseconds(scale * factor, "pareto_time: duration"));
}

GOSSIP_INLINE pareto_time::draws pareto_time::prepare() const {
  double const nanoseconds = checked_mean("pareto_time", mean);
  if (!(shape > 1.0 && shape <= 1e9))
    throw input_error("pareto_time: shape", "a number above 1 and at most 1000000000",
                      detail::shortest(shape));
  return {.scale = nanoseconds * ((shape - 1.0) / shape), .power = 1.0 / shape};
}

}  // namespace gossip
