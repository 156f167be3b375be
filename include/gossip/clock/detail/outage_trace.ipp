// Definitions of clock/outage_trace.hpp.
#pragma once

#include <gossip/clock/outage_trace.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

/// A point of time of a trace, in its unit.
GOSSIP_INLINE virtual_time time_of_trace(lines const &file, double number, double nanoseconds) {
  double const at = number * nanoseconds;
  if (!(at >= 0.0 && at < 0x1p63)) file.fail("a time from 0 to 292 years", shortest(number));
  return whole_nanoseconds(at, "outages: trace");
}

GOSSIP_INLINE outage spell_of_trace(lines const &file, std::vector<double> const &numbers,
                                    double unit, std::vector<virtual_time> &last,
                                    char const *what) {
  double const which = numbers[0];
  auto const nodes = static_cast<double>(last.size());
  auto const i = static_cast<node>(which >= 0.0 && which < nodes ? which : 0);
  if (static_cast<double>(i) != which)
    file.fail("a node below " + std::to_string(last.size()), shortest(which));
  virtual_time const from = time_of_trace(file, numbers[1], unit);
  bool const for_good = numbers[2] > 0 && numbers[2] * 0 != 0;
  virtual_time const until = for_good ? virtual_time::max() : time_of_trace(file, numbers[2], unit);
  if (from < last[i])
    file.fail("a time from " + exact_duration(last[i]) + " on, where " + what + std::to_string(i) +
                  " ends",
              exact_duration(from));
  if (until <= from) file.fail("an end after " + exact_duration(from), exact_duration(until));
  last[i] = until;
  return {i, from, until};
}

}  // namespace detail

GOSSIP_INLINE std::vector<outage> read_outages(std::string const &path, std::size_t nodes) {
  std::vector<outage> all;
  detail::each_spell(path,
                     {"node,from_*,until_*", "a header 'node,from_s,until_s', or ns, us, ms", 3,
                      "the last outage of node "},
                     nodes,
                     [&](detail::lines const &, std::vector<double> const &, outage const &one) {
                       all.push_back(one);
                     });
  return all;
}

}  // namespace gossip
