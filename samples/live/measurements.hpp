// Measurements of a live run as a folder, from which gossip-simulate takes its clock.
#pragma once

#include <string>

#include <gossip/graph/graph.hpp>
#include <gossip/live/run.hpp>

#include "arguments.hpp"

namespace live_sample {

/// Throws input_error where something is at this path, or nothing can be made there.
void check_new_folder(std::string const &path);

/// computing.csv, waits.csv, exchanges.csv, summary.json and configuration.json, the same job for
/// gossip-simulate; the folder is there as a whole or not at all. Throws gossip::error.
void write_measurements(std::string const &path, arguments const &a, gossip::graph const &g,
                        gossip::live::report const &r);

}  // namespace live_sample
