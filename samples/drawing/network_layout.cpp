#include "network_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <gossip/graph/boost.hpp>

#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>

namespace drawing {

namespace {

/// The forces for edges of a length of their own, whatever room there is: with as much as they ask
/// for, clusters stick to the border.
struct pull {
  double length;
  template <class Edge, class Graph>
  double operator()(Edge, double, double distance, Graph const &) const {
    return distance * distance / length;
  }
};
struct push {
  double length;
  template <class Vertex, class Graph>
  double operator()(Vertex, Vertex, double, double distance, Graph const &) const {
    return length * length / distance;
  }
};

}  // namespace

std::vector<std::pair<double, double>> layout(gossip::graph const &graph) {
  auto const g = gossip::to_boost(graph);
  using square = boost::square_topology<boost::minstd_rand>;
  // Boost pushes apart what is nearer than 2 * area / sqrt(n), whatever the unit. In this one that
  // is the length of two edges, and the side that of 5 * sqrt(n).
  double const n = static_cast<double>(graph.nodes()), root = std::sqrt(n);
  double const length = 1 / (25 * root), side = 5 * root * length;
  boost::minstd_rand random(1);
  square const plane(random, side);
  std::vector<square::point_type> places(graph.nodes());
  auto const map = boost::make_iterator_property_map(places.begin(), get(boost::vertex_index, g));
  for (std::size_t i = 0; i < graph.nodes(); ++i) {  // so that a ring stays one
    double const angle = 2 * std::numbers::pi * static_cast<double>(i) / n;
    places[i][0] = 0.3 * side * std::cos(angle);
    places[i][1] = 0.3 * side * std::sin(angle);
  }
  auto const steps = static_cast<std::size_t>(std::clamp(4e5 / n, 40.0, 300.0));
  boost::fruchterman_reingold_force_directed_layout(
      g, map, plane,
      boost::cooling(boost::linear_cooling<double>(steps, side / 50))
          .attractive_force(pull{length})
          .repulsive_force(push{length}));
  std::array<double, 2> low{1e300, 1e300}, high{-1e300, -1e300};
  for (auto const &p : places)
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  double const span = std::max({high[0] - low[0], high[1] - low[1], 1e-9});
  std::vector<std::pair<double, double>> result;
  for (auto const &p : places)
    result.push_back({0.5 + (p[0] - 0.5 * (low[0] + high[0])) / span,
                      0.5 + (p[1] - 0.5 * (low[1] + high[1])) / span});
  return result;
}

}  // namespace drawing
