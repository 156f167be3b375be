// Durations, sizes and bandwidths as people write them, read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

namespace detail {

struct unit {
  std::string_view name;
  double size;
};

std::string listed(std::span<unit const> units);

/// Three significant digits, trailing zeros kept, for 0 <= value < 1000.
std::string three_digits(double value);

}  // namespace detail

/// Reads "10ms", "1.5 s", "25us"; to the nearest nanosecond. Throws input_error naming where.
virtual_time parse_duration(std::string_view text, std::string const &where = "duration");

/// Reads "1.6MB" (10^6 bytes), "64 KiB" (2^10); must come to a whole number of bytes.
std::uint64_t parse_bytes(std::string_view text, std::string const &where = "size");

/// Reads "2.8GB/s" or "100 Gbit/s" as bytes a second, more than 0.
double parse_bandwidth(std::string_view text, std::string const &where = "bandwidth");

/// The text that parse_duration reads back as the same time: "10ms", "1500us".
std::string exact_duration(virtual_time time);

/// The text that parse_bandwidth reads back as the same number: "2.8GB/s".
std::string exact_bandwidth(double bytes_per_second);

/// For people, three digits: "25.0 us", "1.28 s", "2 min 05 s", "3 h 20 min", "4 d 03 h".
std::string format_duration(virtual_time time);

/// For people, three digits: "512 B", "1.65 MB", "35.0 TB".
std::string format_bytes(std::uint64_t bytes);

/// For people, three digits, rounded up.
inline std::string enough_bytes(std::uint64_t bytes) {
  std::uint64_t step = 1;
  while (bytes / step >= 1000) step *= 10;
  return format_bytes((bytes + step - 1) / step * step);
}

/// For people, digits in threes: "431,080".
std::string format_count(std::uint64_t count);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/units.ipp>
#endif
