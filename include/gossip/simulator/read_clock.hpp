// The clock of a run with what its files say in their place: each is read once, for all plans.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/outage_trace.hpp>
#include <gossip/clock/speed_trace.hpp>
#include <gossip/core/files_read.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip::detail {

/// A clock that reads no times any more, and the content of each file that it has read, by name.
struct read_clock {
  prepared_clock clock;
  fact_list contents;
};

/// Throws input_error as planners do for a clock that cannot be used by so many nodes.
template <class Compute>
read_clock read(virtual_clock<Compute> const &given, std::size_t nodes) {
  files_read const list;
  read_clock made{prepared(given), {}};
  prepared_clock &clock = made.clock;
  clock.slow = with_trace(std::move(clock.slow), std::exchange(clock.speeds, {}), nodes);
  if (std::string const trace = std::exchange(clock.outages.trace, {}); !trace.empty())
    for (outage const &one : read_outages(trace, nodes)) clock.outages.listed.push_back(one);
  for (file_content const &one : list.files())
    made.contents.emplace_back("content of " + one.path, "digest " + hex(one.digest) + " of " +
                                                             std::to_string(one.bytes) + " bytes");
  return made;
}

}  // namespace gossip::detail
