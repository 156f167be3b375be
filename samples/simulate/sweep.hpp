// A sweep: runs of all combinations of some fields' values in one process, side by side.
#pragma once

#include <vector>

#include "arguments.hpp"
#include "configuration.hpp"
#include "interruption.hpp"
#include "sweep_fields.hpp"

namespace simulate {

/// Runs share data and cores: as many at once as cores and memory allow, each with the bits that it
/// has alone. A run that fails is a row with its sentence, and the others go on. Writes a folder a
/// run, sweep.json, which repeats all of it, and results.csv; of a dry run a plan.json a run. Where
/// the process is asked to end, runs under way end early and no other begins. Returns the exit
/// status: 1 where a run failed or was interrupted. Throws input_error where no run can begin or
/// the folder cannot be used, gossip::error where the disk is full.
int sweep(arguments const &given, config_file const &file, std::vector<swept_field> const &fields,
          last_minute &patience);

}  // namespace simulate
