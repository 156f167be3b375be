// Definitions of clock/whole_nanoseconds.hpp.
#pragma once

#include <gossip/clock/whole_nanoseconds.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

GOSSIP_INLINE virtual_time whole_nanoseconds(double nanoseconds, char const *where) {
  if (nanoseconds >= 0.0 && nanoseconds < 0x1p63) return nearest_nanosecond(nanoseconds);
  throw input_error(where, "a time of 0 to 292 years (2^63 ns)",
                    detail::shortest(nanoseconds * 1e-9) + " s");
}

GOSSIP_INLINE virtual_time repeated(std::uint64_t count, virtual_time t) {
  auto const most = static_cast<std::uint64_t>(virtual_time::max().count());
  if (t > virtual_time(0) && count > most / static_cast<std::uint64_t>(t.count()))
    throw error("clock: the run takes more than 292 years of virtual time");
  return static_cast<virtual_time::rep>(count) * t;
}

GOSSIP_INLINE double checked_mean(char const *model, virtual_time mean) {
  if (mean < virtual_time(1))
    throw input_error(std::string(model) + ": mean", "at least 1 ns",
                      std::to_string(mean.count()) + " ns");
  return static_cast<double>(mean.count());
}

}  // namespace gossip
