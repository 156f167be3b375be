// Printed and written results of gossip-live.
#pragma once

#include <iosfwd>
#include <string>

#include <gossip/live/run.hpp>
#include <gossip/observer/json.hpp>

#include "arguments.hpp"

namespace live_sample {

void print(std::ostream &out, arguments const &a, gossip::graph const &g,
           gossip::live::report const &r);

/// Throws input_error where no file can be written at this path.
void check_writable(std::string const &path);

/// All that is printed, and more.
nlohmann::ordered_json summary(arguments const &a, gossip::graph const &g,
                               gossip::live::report const &r);

/// The file is there as a whole or not at all. Throws gossip::error.
void write_file(std::string const &path, std::string const &text);

}  // namespace live_sample
