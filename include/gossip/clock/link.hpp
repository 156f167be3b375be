// The time a message takes from one node to another.
#pragma once

#include <cstddef>
#include <string>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

/// Latency plus size over bandwidth, whatever else the network carries: no contention.
struct link {
  virtual_time latency = std::chrono::microseconds(25);
  double bandwidth = 2.8e9;  // bytes a second; infinity for a network that only waits

  /// Throws input_error for a negative latency or a bandwidth that is not positive.
  void check() const {
    if (latency < virtual_time(0))
      throw input_error("link: latency", "at least 0 ns", std::to_string(latency.count()) + " ns");
    if (!(bandwidth > 0.0))
      throw input_error("link: bandwidth", "more than 0 bytes a second",
                        detail::shortest(bandwidth));
  }

  /// To the nearest nanosecond; throws input_error beyond 292 years.
  virtual_time transfer(std::size_t bytes) const {
    double const flight = static_cast<double>(bytes) * 1e9 / bandwidth;
    return whole_nanoseconds(flight + static_cast<double>(latency.count()), "link: transfer time");
  }

  static constexpr char const *name = "link";
  static constexpr char const *meaning = "duration of a message: latency + bytes / bandwidth";
  static constexpr auto members() {
    return member_list{described("latency", &link::latency, "latency of every message"),
                       described("bandwidth", &link::bandwidth, "bandwidth of every link",
                                 {.above_least = true}, unit::bytes_a_second)};
  }
};

}  // namespace gossip
