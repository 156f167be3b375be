// SVG as PDF, by librsvg and cairo, where the program was built with them.
#pragma once

#include <string>

namespace drawing {

/// Whether librsvg was there at build time.
extern bool const draws_pdf;

/// One page as large as the drawing, whose width is given in points (1/72 inch): lines are lines,
/// letters are letters of embedded fonts. The same SVG gives the same bytes. Throws gossip::error
/// where librsvg cannot draw it, or the program was built without librsvg.
std::string pdf(std::string const &svg, double width_points);

}  // namespace drawing
