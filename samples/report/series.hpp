// Runs that differ by their seeds alone, taken together, and how they are told apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runs.hpp"
#include "styles.hpp"

namespace report {

struct series {
  std::string name;
  std::vector<run const *> runs;
  line_style style{};
  /// Observations that all of its runs have at the same epochs; the first ones.
  std::size_t observations = 0;
};

/// Fields in the order of the configurations. A policy of another kind is one difference.
std::vector<difference> differences(std::vector<json> const &configurations);

/// In the order of the runs. Equal runs, seeds included, are series of their own.
std::vector<series> series_of(std::vector<run> const &runs);

}  // namespace report
