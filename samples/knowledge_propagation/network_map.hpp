// The network drawn as a map: SVGs of its nodes colored by a number.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "network.hpp"

namespace propagation {

/// An SVG, 720 by 780; values: (n) from 0 to 1. Seeds are squares. Of more than 12,000 edges it
/// shows so many, and says so.
std::string map_svg(network const &net, std::vector<std::pair<double, double>> const &places,
                    std::vector<double> const &values, std::string const &title,
                    std::string const &quantity);

}  // namespace propagation
