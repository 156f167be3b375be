// A chart of lines as SVG: axes that are linear or logarithmic, bands about lines, a legend.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace drawing {

using point = std::pair<double, double>;

/// Points from left to right; those that a logarithmic axis has no place for are left out.
struct curve {
  std::string name, color;
  std::vector<point> points;
  std::vector<std::pair<double, double>> band{};  // low and high at each point, or empty
  std::string dashes{};                           // of SVG, as "5 4"; empty: a line without gaps
  bool marks = true;                              // a circle at each point
  bool ends_apart = false;  // the last point is a ring that the line does not reach
};

struct axis {
  std::string title;
  bool logarithmic = false;
  bool from_zero = false;
};

/// 440 wide, with letters of 13: about 7 points in a column of a paper with two. As high as titles,
/// legend and a note below it need.
class line_chart {
 public:
  line_chart(std::string title, axis x, axis y, std::string note = {})
      : title_(std::move(title)), note_(std::move(note)), x_(std::move(x)), y_(std::move(y)) {}

  void add(curve c) { curves_.push_back(std::move(c)); }

  std::string svg() const;

 private:
  std::string title_, note_;
  axis x_, y_;
  std::vector<curve> curves_;
};

/// Values at round distances between the two, of a logarithmic axis 1, 2 and 5 times powers of ten
/// or these powers alone: at most about ten.
std::vector<double> ticks(double low, double high, bool logarithmic);

/// Text as it stands in XML and HTML; a control character is a replacement character.
std::string escaped(std::string const &text);

/// Throws gossip::error where the file cannot be written.
void write(line_chart const &c, std::string const &path);

}  // namespace drawing
