// Definitions of clock/speed_trace.hpp.
#pragma once

#include <gossip/clock/speed_trace.hpp>

#include <gossip/clock/outage_trace.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<slow_node> read_speeds(std::string const &path, std::size_t nodes) {
  std::vector<slow_node> all;
  detail::each_spell(
      path,
      {"node,from_*,until_*,factor", "a header 'node,from_s,until_s,factor', or ns, us, ms", 4,
       "the last factor of node "},
      nodes, [&](detail::lines const &file, std::vector<double> const &numbers, outage const &one) {
        double const factor = numbers[3];
        if (!(factor > 0.0 && factor <= 1e9))
          file.fail("a factor above 0, up to 1e9", detail::shortest(factor));
        all.push_back({one.which, factor, one.from, one.until});
      });
  return all;
}

}  // namespace gossip
