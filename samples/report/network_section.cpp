#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/units.hpp>

#include "../drawing/color_scale.hpp"
#include "../drawing/line_chart.hpp"
#include "networks.hpp"
#include "page.hpp"

namespace report {

namespace {

using drawing::escaped;

/// RFC 4648, section 4.
std::string base64(std::string const &bytes) {
  constexpr char const *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::size_t const count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[at + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// Pairs as bytes, the lower of each number first.
std::string base64(std::vector<std::pair<std::uint16_t, std::uint16_t>> const &pairs) {
  std::string bytes;
  for (auto const &[one, other] : pairs)
    for (std::uint16_t const number : {one, other})
      bytes += {static_cast<char>(number & 255), static_cast<char>(number >> 8)};
  return base64(bytes);
}

std::string counted(std::size_t count) {
  return gossip::format_count(count);
}

/// Sentences about what the map leaves out.
std::string notes_of(network const &n) {
  std::string text =
      counted(n.nodes) + " nodes, " + counted(n.edges_in_all) + (n.directed ? " arcs" : " edges");
  if (n.edges.size() < n.edges_in_all)
    text += ", of which " + counted(n.edges.size()) + " are drawn";
  text += ". ";
  if (n.moments.size() < n.observations_in_all)
    text += "The slider has " + counted(n.moments.size()) + " of " +
            counted(n.observations_in_all) + " observations. ";
  return text + "Gray circles: not evaluated at that moment.";
}

json to_json(network const &n) {
  json j{{"name", n.name},
         {"nodes", n.nodes},
         {"edges", base64(n.edges)},
         {"places", base64(n.places)},
         {"notes", notes_of(n)}};
  for (moment const &m : n.moments)
    j["moments"].push_back({m.epoch, m.virtual_seconds, m.bytes_sent});
  for (node_quantity const &q : n.quantities)
    j["quantities"].push_back(
        {{"name", q.name}, {"low", q.low}, {"high", q.high}, {"codes", base64(q.codes)}});
  return j;
}

std::string refusal_of(network const &n) {
  if (n.nodes > most_nodes_drawn)
    return "The network of " + n.name + " has " + counted(n.nodes) + " nodes; networks of " +
           counted(most_nodes_drawn) + " nodes or fewer are drawn.";
  return "The network of " + n.name +
         " is not drawn: this gossip-report was built without Boost.Graph, which places nodes.";
}

}  // namespace

std::string network_section(std::vector<network> const &all) {
  if (all.empty()) return "";
  std::string text = "<section id=\"network\"><h2>Network</h2>\n", choices;
  json data;
  for (network const &n : all) {
    if (n.places.empty()) {
      text += "<p>" + escaped(refusal_of(n)) + "</p>\n";
      continue;
    }
    choices += "<option value=\"" + std::to_string(data["networks"].size()) + "\">" +
               escaped(n.name) + "</option>";
    data["networks"].push_back(to_json(n));
  }
  if (choices.empty()) return text + "</section>\n";
  for (auto const &color : drawing::viridis) data["scale"].push_back(color);
  text +=
      "<figure class=\"map\">\n<div class=\"moment\">"
      "<label class=\"choice\">run <select id=\"network-run\">" +
      choices +
      "</select></label><label>color <select id=\"network-quantity\"></select></label>"
      "<button type=\"button\" id=\"network-play\">play</button>"
      "<input type=\"range\" id=\"network-time\" min=\"0\" value=\"0\" "
      "aria-label=\"moment of the run\"></div>\n"
      "<p class=\"key\"><output id=\"network-moment\"></output></p>\n"
      "<div class=\"plot\"><canvas id=\"network-map\" role=\"img\" aria-label=\"the network, its "
      "nodes colored\"></canvas></div>\n"
      "<p class=\"legend\"><span id=\"network-low\"></span><span id=\"network-scale\"></span>"
      "<span id=\"network-high\"></span></p>\n"
      "<p class=\"key\"><output id=\"network-node\">A node that is pointed at is named "
      "here.</output></p>\n"
      "<figcaption id=\"network-notes\"></figcaption></figure></section>\n"
      "<script type=\"application/json\" id=\"networks\">" +
      safe_in_script(data.dump(-1, ' ', false, json::error_handler_t::replace)) + "</script>\n";
  return text;
}

}  // namespace report
