// Definitions of clock/lognormal_time.hpp.
#pragma once

#include <gossip/clock/lognormal_time.hpp>

#include <cmath>
#include <tuple>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

// Flattened, or loops that call functions are not vectorised.
[[gnu::noinline, gnu::flatten]] GOSSIP_INLINE void lognormal_time::draws::durations(
    std::uint64_t seed, node i, std::uint64_t step, next_durations &times) const {
  double drawn[std::tuple_size_v<next_durations>];
  keyed_random(seed, purpose::compute_time, i, step).first_normals(drawn);
  for (double &d : drawn) d = median * elementary::exp(sigma * d);
  for (std::size_t k = 0; k < times.size(); ++k)
    times[k] = drawn[k] < 0x1p63 ? std::max(virtual_time(1), nearest_nanosecond(drawn[k]))
                                 : virtual_time(0);
}

GOSSIP_INLINE lognormal_time::draws lognormal_time::prepare() const {
  double const nanoseconds = checked_mean("lognormal_time", mean);
  if (!(cv >= 0.0 && cv <= 1000.0))
    throw input_error("lognormal_time: cv", "a number from 0 to 1000", detail::shortest(cv));
  double const spread = 1.0 + cv * cv;
  return {.median = nanoseconds / std::sqrt(spread),  // mean * exp(mu)
          .sigma = std::sqrt(elementary::log(spread))};
}

}  // namespace gossip
