// Steps between virtual time and the numbers that durations are computed from.
#pragma once

#include <cstdint>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

/// The nearest whole number of nanoseconds, of a number in [0, 2^63).
inline virtual_time nearest_nanosecond(double nanoseconds) {
  return virtual_time(static_cast<std::int64_t>(nanoseconds + 0.5));
}

/// The nearest whole number of nanoseconds. Throws input_error, naming where, for a negative
/// number, for one of 2^63 (292 years) or more, and for what is not a number.
inline virtual_time whole_nanoseconds(double nanoseconds, char const *where) {
  if (nanoseconds >= 0.0 && nanoseconds < 0x1p63) return nearest_nanosecond(nanoseconds);
  throw input_error(where, "a time of 0 to 292 years (2^63 ns)",
                    detail::shortest(nanoseconds * 1e-9) + " s");
}

/// So many times a time. Throws error from 2^63 ns (292 years) on.
inline virtual_time repeated(std::uint64_t count, virtual_time t) {
  auto const most = static_cast<std::uint64_t>(virtual_time::max().count());
  if (t > virtual_time(0) && count > most / static_cast<std::uint64_t>(t.count()))
    throw error("clock: the run takes more than 292 years of virtual time");
  return static_cast<virtual_time::rep>(count) * t;
}

/// The mean of a compute-time model, in nanoseconds. Throws input_error, naming the model, below
/// 1 ns.
inline double checked_mean(char const *model, virtual_time mean) {
  if (mean < virtual_time(1))
    throw input_error(std::string(model) + ": mean", "at least 1 ns",
                      std::to_string(mean.count()) + " ns");
  return static_cast<double>(mean.count());
}

}  // namespace gossip
