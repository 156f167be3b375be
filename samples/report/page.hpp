// The page of a report: one file with its charts, tables and the library that draws.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "charts.hpp"
#include "networks.hpp"
#include "runs.hpp"
#include "series.hpp"

namespace report {

/// Files of this folder and of the package libjs-chart.js, as CMake has put them into the program.
extern std::string_view const page_style, page_script, network_script, library_licence;
extern std::vector<std::string_view> const chart_library;  // in pieces; none: built without it

/// HTML that refers to no other file.
std::string page_of(run_list const &runs, std::vector<series> const &all,
                    std::vector<chart> const &charts, std::array<horizontal_axis, 3> const &axes,
                    std::vector<network> const &networks);

/// JSON in which no tag ends the element that it is in.
std::string safe_in_script(std::string const &text);

}  // namespace report
