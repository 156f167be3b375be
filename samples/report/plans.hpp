// Staleness and waiting of runs, as dry runs of the same configurations planned them.
#pragma once

#include <string>
#include <vector>

#include "series.hpp"

namespace report {

/// A row a series with plan.json in its runs' folders; empty where none has. Throws
/// gossip::input_error where a plan.json is none.
std::string plans_section(std::vector<series> const &all);

}  // namespace report
