// What the charts of a report show: lines over epochs, virtual time and bytes.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "series.hpp"

namespace report {

/// A quantity that charts have from left to right.
struct horizontal_axis {
  std::string column;     // of the observations
  std::string word;       // of the switch
  std::string title;      // with its unit
  double factor = 1;      // from the column to the unit
  bool from_zero = true;  // else from where the lines begin
};

struct chart_point {
  std::array<double, 3> x{};  // one for each horizontal axis
  double y = 0, low = 0, high = 0;
};

struct chart_line {
  std::string name;
  std::size_t series = 0;   // that it shows
  std::size_t style = 0;    // color, dashes and marks
  bool banded = false;      // low and high are known
  bool ends_apart = false;  // the last point is measured on other nodes or samples than the rest
  std::size_t observations = 0;
  std::vector<chart_point> points;  // fewer than the observations where these were too many
};

struct chart {
  std::string key;  // as of a file's name
  std::string title, axis;
  double factor = 1;  // from the values to the unit of the axis
  bool logarithmic = false;
  std::vector<chart_line> lines;
  std::string rings;               // what the points that stand apart are; empty: there are none
  std::vector<std::string> notes;  // sentences below it
};

/// Of two chart styles the colors differ or the dashes, of all within 35; the same in a page and in
/// files. Okabe and Ito's palette, whose colors people tell apart who see colors differently,
/// without its yellow, and gray for its black.
inline constexpr std::array colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#888888"};
inline constexpr std::array dashes{"", "8 4", "2 3", "10 3 2 3", "14 4"};

/// Of more lines in a chart the bands would hide each other.
inline constexpr std::size_t most_bands = 8;

std::array<horizontal_axis, 3> horizontal_axes(std::vector<run> const &runs, bool from_zero);

/// Charts of what was observed in any run from an epoch on, accuracy first. Throws
/// gossip::input_error where nothing was.
std::vector<chart> charts_of(std::vector<series> const &all, double from_epoch);

/// Each chart as SVG by each of the axes, as pairs of a file's name and its content.
std::vector<std::pair<std::string, std::string>> svg_files(
    std::vector<chart> const &charts, std::array<horizontal_axis, 3> const &axes);

}  // namespace report
