// Definitions of core/random.hpp.
#pragma once

#include <gossip/core/random.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE double keyed_random::first_normal() const {
  philox_counter first = counter_;
  first[0] = 0;
  philox_counter const block = philox(first, key_);
  return normal_of(unit(std::uint64_t{block[0]} << 32 | block[1]),
                   unit(std::uint64_t{block[2]} << 32 | block[3]));
}

GOSSIP_INLINE double keyed_random::gamma(double shape) {
  if (shape < 1.0) {
    double const boost = elementary::log(1.0 - uniform()) / shape;
    return gamma(shape + 1.0) * (boost < -700.0 ? 0.0 : elementary::exp(boost));
  }
  double const d = shape - 1.0 / 3.0;
  double const c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    double const x = normal();
    double const t = 1.0 + c * x;
    if (t <= 0.0) continue;
    double const v = t * t * t;
    double const u = elementary::log(1.0 - uniform());
    if (u < 0.5 * x * x + d - d * v + d * elementary::log(v)) return d * v;
  }
}

}  // namespace gossip
