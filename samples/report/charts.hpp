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
  std::string unit{};     // empty: none
  double factor = 1;      // from the column to the unit
  bool from_zero = true;  // else from where the lines begin
};

struct chart_point {
  std::array<double, 3> x{};  // one for each horizontal axis
  double y = 0, low = 0, high = 0;
};

struct chart_line {
  std::string name;
  std::size_t series = 0;  // that it shows
  line_style style{};
  bool banded = false;      // low and high are known
  bool ends_apart = false;  // the last point is measured on other nodes or samples than the rest
  std::size_t observations = 0;
  std::vector<chart_point> points;  // fewer than the observations where these were too many
};

struct chart {
  std::string key;          // as of a file's name
  std::string title, axis;  // the axis with its unit
  std::string unit;         // empty: none
  double factor = 1;        // from the values to the unit of the axis
  bool logarithmic = false;
  std::vector<chart_line> lines;
  std::string over;                // what lines are means of, as "3 seeds"; empty: of nothing
  std::string rings;               // what the points that stand apart are; empty: there are none
  std::vector<std::string> notes;  // sentences below it
};

/// Of more lines in a chart the bands would hide each other.
inline constexpr std::size_t most_bands = 8;

/// A sentence on what the lines are, and the bands where these are drawn; empty where a line is of
/// single numbers.
std::string lines_and_bands(chart const &c, bool banded);

/// An axis's title and its unit, where it has one.
std::string in_unit(std::string const &title, std::string const &unit);

std::array<horizontal_axis, 3> horizontal_axes(std::vector<run> const &runs, bool from_zero);

/// Charts of what was observed in any run from an epoch on, accuracy first. Throws
/// gossip::input_error where nothing was.
std::vector<chart> charts_of(std::vector<series> const &all, double from_epoch);

}  // namespace report
