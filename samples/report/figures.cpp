#include "figures.hpp"

#include <utility>

#include "../drawing/line_chart.hpp"

namespace report {

namespace {

drawing::curve curve_of(chart_line const &line, chart const &c, double x_factor, std::size_t axis,
                        bool banded) {
  drawing::curve curve{.name = line.name,
                       .color = colors[line.style.color],
                       .points = {},
                       .dashes = dashes[line.style.dash],
                       .marks = line.points.size() <= 12,
                       .ends_apart = line.ends_apart};
  for (chart_point const &p : line.points) {
    curve.points.emplace_back(x_factor * p.x[axis], c.factor * p.y);
    if (banded) curve.band.emplace_back(c.factor * p.low, c.factor * p.high);
  }
  return curve;
}

/// What it takes to read the figure without the page.
std::string note_of(chart const &c, bool banded) {
  std::string const note = lines_and_bands(c, banded);
  return note + (note.empty() || c.rings.empty() ? "" : " ") + c.rings;
}

}  // namespace

std::vector<figure> figures_of(std::vector<chart> const &charts,
                               std::array<horizontal_axis, 3> const &axes) {
  std::vector<figure> all;
  for (chart const &c : charts) {
    bool const few = c.lines.size() <= most_bands;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      drawing::line_chart drawn(c.title, {.title = axes[a].title, .from_zero = axes[a].from_zero},
                                {.title = c.axis, .logarithmic = c.logarithmic}, note_of(c, few));
      for (chart_line const &line : c.lines)
        drawn.add(curve_of(line, c, axes[a].factor, a, few && line.banded));
      all.push_back({c.key + "_by_" + axes[a].column, drawn.svg()});
    }
  }
  return all;
}

}  // namespace report
