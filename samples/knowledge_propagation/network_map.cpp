#include "network_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <gossip/graph/boost.hpp>

#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/random_layout.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>

#include "../drawing/line_chart.hpp"
#include "printed.hpp"

namespace propagation {

using gossip::node;

namespace {

/// The forces of Fruchterman and Reingold for edges of length 1, whatever room there is: with as
/// much as they ask for, clusters stick to the border.
struct pull {
  template <class Edge, class Graph>
  double operator()(Edge, double, double distance, Graph const &) const {
    return distance * distance;
  }
};
struct push {
  template <class Vertex, class Graph>
  double operator()(Vertex, Vertex, double, double distance, Graph const &) const {
    return 1 / distance;
  }
};

}  // namespace

std::vector<std::pair<double, double>> layout(gossip::graph const &graph) {
  auto const g = gossip::to_boost(graph);
  using square = boost::square_topology<boost::minstd_rand>;
  double const side = 5 * std::sqrt(static_cast<double>(graph.nodes()));
  boost::minstd_rand random(1);
  square const plane(random, side);
  std::vector<square::point_type> places(graph.nodes());
  auto const map = boost::make_iterator_property_map(places.begin(), get(boost::vertex_index, g));
  boost::random_graph_layout(g, map, plane);
  boost::fruchterman_reingold_force_directed_layout(
      g, map, plane,
      boost::cooling(boost::linear_cooling<double>(300, side / 50))
          .attractive_force(pull{})
          .repulsive_force(push{}));
  double low[2]{1e300, 1e300}, high[2]{-1e300, -1e300};
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

std::string shade(double value) {
  constexpr std::array<std::array<double, 3>, 5> points{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  double const at = 4 * std::clamp(value, 0.0, 1.0);
  auto const k = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  double const part = at - static_cast<double>(k);
  std::array<int, 3> c{};
  for (std::size_t of = 0; of < 3; ++of)
    c[of] = static_cast<int>(std::lround((1 - part) * points[k][of] + part * points[k + 1][of]));
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
  return text;
}

namespace {

std::string legend(std::string const &quantity) {
  std::string svg;
  for (int k = 0; k < 40; ++k)
    svg += printed("<rect x=\"%d\" y=\"752\" width=\"5\" height=\"12\" fill=\"%s\"/>\n", 20 + 5 * k,
                   shade(k / 39.0).c_str());
  svg +=
      "<text x=\"20\" y=\"777\">0</text><text x=\"206\" y=\"777\">1</text>"
      "<text x=\"235\" y=\"763\">" +
      drawing::escaped(quantity) + "; squares: seeds</text>\n";
  return svg;
}

}  // namespace

std::string map_svg(network const &net, std::vector<std::pair<double, double>> const &places,
                    std::vector<double> const &values, std::string const &title,
                    std::string const &quantity) {
  constexpr std::size_t most_edges = 12'000;
  auto const edges = net.graph.edge_list();
  std::size_t const drawn = std::min(edges.size(), most_edges);
  auto const x = [&](node i) { return 20 + 680 * places[i].first; };
  auto const y = [&](node i) { return 50 + 680 * places[i].second; };
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 780\" width=\"720\" "
      "height=\"780\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"720\" height=\"780\" fill=\"white\"/>\n<text x=\"20\" y=\"26\" "
      "font-size=\"16\">" +
      drawing::escaped(title) + "</text>\n";
  if (drawn < edges.size())
    svg += printed("<text x=\"700\" y=\"26\" text-anchor=\"end\">%zu of %zu edges drawn</text>\n",
                   drawn, edges.size());
  svg += "<path fill=\"none\" stroke=\"#888\" stroke-width=\"0.5\" stroke-opacity=\"0.35\" d=\"";
  for (std::size_t k = 0; k < drawn; ++k) {
    gossip::edge const e = edges[k * edges.size() / drawn];
    svg += printed("M%.0f %.0fL%.0f %.0f", x(e.from), y(e.from), x(e.to), y(e.to));
  }
  svg += "\"/>\n<g stroke=\"#333\" stroke-width=\"0.4\">\n";
  double const size = std::clamp(90 / std::sqrt(static_cast<double>(net.nodes())), 1.8, 6.0);
  for (node i = 0; i < net.nodes(); ++i)
    if (net.distance[i] > 0)
      svg += printed("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x(i), y(i), size,
                     shade(values[i]).c_str());
  svg += "</g>\n<g stroke=\"#d55e00\" stroke-width=\"2\">\n";
  for (node const i : net.seeds)
    svg += printed("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                   x(i) - 6, y(i) - 6, 12.0, 12.0, shade(values[i]).c_str());
  return svg + "</g>\n" + legend(quantity) + "</svg>\n";
}

}  // namespace propagation
