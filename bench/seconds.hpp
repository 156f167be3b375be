// Seconds of something that was measured, and the middle one of several.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace gossip::bench {

using clock_type = std::chrono::steady_clock;

inline double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

/// 0 where there are none.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace gossip::bench
