#include "network_map.hpp"

#include <algorithm>
#include <cmath>

#include "../drawing/color_scale.hpp"
#include "../drawing/line_chart.hpp"
#include "printed.hpp"

namespace propagation {

using gossip::node;

namespace {

std::string legend(std::string const &quantity) {
  std::string svg;
  for (int k = 0; k < 40; ++k)
    svg += printed("<rect x=\"%d\" y=\"752\" width=\"5\" height=\"12\" fill=\"%s\"/>\n", 20 + 5 * k,
                   drawing::shade(k / 39.0).c_str());
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
                     drawing::shade(values[i]).c_str());
  svg += "</g>\n<g stroke=\"#d55e00\" stroke-width=\"2\">\n";
  for (node const i : net.seeds)
    svg += printed("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                   x(i) - 6, y(i) - 6, 12.0, 12.0, drawing::shade(values[i]).c_str());
  return svg + "</g>\n" + legend(quantity) + "</svg>\n";
}

}  // namespace propagation
