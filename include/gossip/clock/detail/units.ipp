// Definitions of clock/units.hpp.
#pragma once

#include <gossip/clock/units.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

namespace detail {

inline constexpr std::array duration_units{unit{"ns", 1.0}, unit{"us", 1e3},   unit{"ms", 1e6},
                                           unit{"s", 1e9},  unit{"min", 60e9}, unit{"h", 3600e9}};

inline constexpr std::array byte_units{
    unit{"B", 1.0},      unit{"kB", 1e3},     unit{"MB", 1e6},
    unit{"GB", 1e9},     unit{"TB", 1e12},    unit{"KiB", 0x1p10},
    unit{"MiB", 0x1p20}, unit{"GiB", 0x1p30}, unit{"TiB", 0x1p40}};

inline constexpr std::array bandwidth_units{
    unit{"B/s", 1.0},        unit{"kB/s", 1e3},       unit{"MB/s", 1e6},
    unit{"GB/s", 1e9},       unit{"TB/s", 1e12},      unit{"kbit/s", 1e3 / 8},
    unit{"Mbit/s", 1e6 / 8}, unit{"Gbit/s", 1e9 / 8}, unit{"Tbit/s", 1e12 / 8}};

GOSSIP_INLINE std::string listed(std::span<unit const> units) {
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i)
    text += (i == 0 ? "" : i + 1 == units.size() ? " or " : ", ") + std::string(units[i].name);
  return text;
}

/// number unit, with or without a blank between them; the number is decimal and not negative.
GOSSIP_INLINE double parse_quantity(std::string_view text, std::span<unit const> units,
                                    std::string const &where, std::string const &expected) {
  double number = 0.0;
  char const *const end = text.data() + text.size();
  auto const [rest, code] = std::from_chars(text.data(), end, number);
  bool const decimal = !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
  if (decimal && code == std::errc{}) {
    std::string_view name(rest, static_cast<std::size_t>(end - rest));
    if (name.starts_with(' ')) name.remove_prefix(1);
    for (unit const &u : units)
      if (u.name == name) return number * u.size;
  }
  throw input_error(where, expected + " (a number and " + listed(units) + ")",
                    '"' + std::string(text) + '"');
}

GOSSIP_INLINE std::string three_digits(double value) {
  std::array<char, 32> text;
  int const places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  auto const result = std::to_chars(text.data(), text.data() + text.size(), value,
                                    std::chars_format::fixed, places);
  return {text.data(), result.ptr};
}

GOSSIP_INLINE std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace detail

GOSSIP_INLINE virtual_time parse_duration(std::string_view text, std::string const &where) {
  std::string const expected = "a duration such as 10ms";
  double const ns = detail::parse_quantity(text, detail::duration_units, where, expected);
  if (ns < 0x1p63) return virtual_time(static_cast<std::int64_t>(ns + 0.5));
  throw input_error(where, expected + ", below 292 years", '"' + std::string(text) + '"');
}

GOSSIP_INLINE std::uint64_t parse_bytes(std::string_view text, std::string const &where) {
  std::string const expected = "a size such as 1.6MB";
  double const bytes = detail::parse_quantity(text, detail::byte_units, where, expected);
  double const whole = std::floor(bytes + 0.5);
  if (whole < 0x1p63 && std::fabs(bytes - whole) <= 1e-12 * bytes)
    return static_cast<std::uint64_t>(whole);
  throw input_error(where, expected + ", a whole number of bytes below 2^63",
                    '"' + std::string(text) + '"');
}

GOSSIP_INLINE double parse_bandwidth(std::string_view text, std::string const &where) {
  std::string const expected = "a bandwidth such as 2.8GB/s";
  double const rate = detail::parse_quantity(text, detail::bandwidth_units, where, expected);
  if (rate > 0.0 && std::isfinite(rate)) return rate;
  throw input_error(where,
                    expected + (rate > 0.0 ? ", below 1.8e308 bytes a second" : ", more than 0"),
                    '"' + std::string(text) + '"');
}

GOSSIP_INLINE std::string exact_duration(virtual_time time) {
  detail::unit largest = detail::duration_units.front();
  for (detail::unit const &u : std::span(detail::duration_units).first(4))  // to seconds
    if (time.count() != 0 && time.count() % static_cast<std::int64_t>(u.size) == 0) largest = u;
  return std::to_string(time.count() / static_cast<std::int64_t>(largest.size)) +
         std::string(largest.name);
}

GOSSIP_INLINE std::string exact_bandwidth(double bytes_per_second) {
  std::string best = detail::shortest(bytes_per_second) + "B/s";
  for (detail::unit const &u : std::span(detail::bandwidth_units).first(5)) {
    std::string const text = detail::shortest(bytes_per_second / u.size) + std::string(u.name);
    if (bytes_per_second >= u.size && parse_bandwidth(text) == bytes_per_second &&
        text.size() <= best.size())
      best = text;
  }
  return best;
}

GOSSIP_INLINE std::string format_duration(virtual_time time) {
  std::int64_t const ns = time.count();
  if (ns < 0) return "-" + format_duration(-std::max(time, -virtual_time::max()));
  if (ns < 1000) return std::to_string(ns) + " ns";
  std::int64_t const seconds = ns / 1'000'000'000 + (ns % 1'000'000'000 >= 500'000'000 ? 1 : 0);
  if (seconds >= 86400)
    return std::to_string(seconds / 86400) + " d " + detail::two_digits(seconds / 3600 % 24) + " h";
  if (seconds >= 3600)
    return std::to_string(seconds / 3600) + " h " + detail::two_digits(seconds / 60 % 60) + " min";
  if (seconds >= 60)
    return std::to_string(seconds / 60) + " min " + detail::two_digits(seconds % 60) + " s";
  for (detail::unit const &u : std::span(detail::duration_units).subspan(1, 2))
    if (double const value = static_cast<double>(ns) / u.size; value < 999.5)
      return detail::three_digits(value) + " " + std::string(u.name);
  return detail::three_digits(static_cast<double>(ns) * 1e-9) + " s";
}

GOSSIP_INLINE std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  auto const value = static_cast<double>(bytes);
  for (detail::unit const &u : std::span(detail::byte_units).subspan(1, 3))
    if (value / u.size < 999.5)
      return detail::three_digits(value / u.size) + " " + std::string(u.name);
  return detail::three_digits(value * 1e-12) + " TB";
}

GOSSIP_INLINE std::string format_count(std::uint64_t count) {
  std::string const digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace gossip
