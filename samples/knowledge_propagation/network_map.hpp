// The network drawn as a map: places of its nodes, and SVGs of them colored by a number.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "network.hpp"

namespace propagation {

/// (n) x and y from 0 to 1 by springs (T. M. J. Fruchterman, E. M. Reingold 1991), the same every
/// time.
std::vector<std::pair<double, double>> layout(gossip::graph const &g);

/// A color for a number from 0 to 1, dark to light, that is told apart by the colour-blind too:
/// five points of viridis (S. van der Walt, N. Smith 2015), lines between.
std::string shade(double value);

/// An SVG, 720 by 780; values: (n) from 0 to 1. Seeds are squares. Of more than 12,000 edges it
/// shows so many, and says so.
std::string map_svg(network const &net, std::vector<std::pair<double, double>> const &places,
                    std::vector<double> const &values, std::string const &title,
                    std::string const &quantity);

}  // namespace propagation
