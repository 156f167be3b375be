// Links between regions that were measured, from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gossip/clock/link.hpp>
#include <gossip/core/lines.hpp>

namespace gossip {

/// The links (regions, regions), by sender and receiver, of a CSV file, gzipped or not, with the
/// columns from, to, latency and bandwidth, named so in its first line; times and bandwidths have
/// units, as in `0,1,40ms,1Gbit/s`. A pair that has a line of one direction alone has the same link
/// in the other. Of two regions one line at least is there; that of a region with itself may be
/// left out, and has no link then. Throws input_error with path and line.
std::vector<std::optional<link>> read_region_links(std::string const &path, std::size_t regions);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/region_trace.ipp>
#endif
