// Words of one's own in charts: --label for lines, --axis for axes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "charts.hpp"
#include "series.hpp"

namespace report {

/// Each given is NAME=TEXT with the name that a line has. Throws gossip::input_error for other
/// names, with the names that there are, for no text and for a second one.
void label_lines(std::vector<std::string> const &given, std::vector<series> &all,
                 std::vector<chart> &charts);

/// Each given is NAME=TEXT with a chart's key or the column of a horizontal axis; units stay behind
/// the text. Throws as label_lines does.
void label_axes(std::vector<std::string> const &given, std::vector<chart> &charts,
                std::array<horizontal_axis, 3> &axes);

}  // namespace report
