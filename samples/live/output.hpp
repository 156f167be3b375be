// Printed and written results of gossip-live.
#pragma once

#include <iosfwd>
#include <string>

#include <gossip/live/run.hpp>

#include "arguments.hpp"

namespace live_sample {

void print(std::ostream &out, arguments const &a, gossip::graph const &g,
           gossip::live::report const &r);

/// Throws input_error where no file can be written at this path.
void check_writable(std::string const &path);

/// A JSON object; the file is there as a whole or not at all. Throws gossip::error.
void write_summary(std::string const &path, arguments const &a, gossip::graph const &g,
                   gossip::live::report const &r);

}  // namespace live_sample
