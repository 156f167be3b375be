// The charts of a report as figures for papers.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "charts.hpp"

namespace report {

struct figure {
  std::string name;  // of its file, without ".svg"
  std::string svg;
};

/// Each chart by each of the axes.
std::vector<figure> figures_of(std::vector<chart> const &charts,
                               std::array<horizontal_axis, 3> const &axes);

}  // namespace report
