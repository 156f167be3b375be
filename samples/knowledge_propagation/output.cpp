#include "output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <gossip/observer/json.hpp>

#include "../drawing/color_scale.hpp"
#include "../drawing/line_chart.hpp"
#include "../drawing/network_layout.hpp"
#include "../simulate/nodes_json.hpp"
#include "../simulate/whole_file.hpp"
#include "network_map.hpp"
#include "printed.hpp"

namespace propagation {

using gossip::node;

namespace {

/// A tick as people read it, where it is infinite a word.
std::string when(double tick, char const *otherwise = "never") {
  return std::isfinite(tick) ? printed("%.0f", tick) : otherwise;
}

std::string by_distance_table(training const &t, analysis const &found) {
  std::string csv = "tick,distance,nodes,accuracy,share_knowing\n";
  for (std::size_t k = 0; k < t.history.size(); ++k)
    for (std::size_t d = 0; d < found.rings.size(); ++d)
      csv += printed("%.3f,%zu,%zu,%.6f,%.6f\n", t.history[k].tick, d, found.rings[d].nodes.size(),
                     found.rings[d].accuracy[k], found.rings[d].knowing[k]);
  return csv;
}

std::string nodes_table(network const &net, training const &t, analysis const &found) {
  std::string csv = "node,distance,degree,closeness,betweenness,arrival,accuracy_at_end\n";
  for (node i = 0; i < net.nodes(); ++i)
    csv += printed("%u,%u,%zu,%.6f,%.3f,%s,%.6f\n", i, net.distance[i], net.graph.degree(i),
                   net.closeness[i], net.betweenness[i], when(found.arrival[i], "").c_str(),
                   t.history.back().rare[i]);
  return csv;
}

std::string correlations_table(analysis const &found) {
  std::string csv = "with,spearman\n";
  for (correlation const &one : found.correlations) csv += one.with + printed(",%.4f\n", one.value);
  return csv;
}

std::string lines_of_nodes(training const &t) {
  std::string lines;
  for (observation const &seen : t.history)
    lines += simulate::nodes_line(
        seen.record.mark, {},
        {{"accuracy", seen.all}, {"loss", seen.loss}, {"rare_class_accuracy", seen.rare}});
  return lines;
}

/// What gossip-report shows of the run beside its charts.
nlohmann::ordered_json configuration_of(arguments const &a, network const &net) {
  return {{"name", "class " + std::to_string(a.rare) + " on " +
                       std::filesystem::path(a.graph).stem().string()},
          {"graph", a.graph},
          {"nodes", net.nodes()},
          {"seeds", a.seeds},
          {"rare", a.rare},
          {"share", a.share},
          {"samples", a.samples},
          {"ticks", a.ticks},
          {"model", a.model},
          {"rate", a.rate},
          {"momentum", a.momentum},
          {"batch", a.batch},
          {"keep", a.keep},
          {"seed", a.seed}};
}

std::string lines_of_records(training const &t) {
  std::string lines;
  for (observation const &seen : t.history) lines += gossip::to_json(seen.record).dump() + '\n';
  return lines;
}

std::string chart(arguments const &a, training const &t, analysis const &found) {
  drawing::line_chart chart(
      "Accuracy on class " + std::to_string(a.rare) + " by hops to the nearest seed",
      {.title = "tick"}, {.title = "accuracy", .from_zero = true});
  std::size_t const last = found.rings.size() - 1;
  std::size_t const step = last / 9 + 1;  // ten lines at most
  for (std::size_t d = 0; d <= last; d += step) {
    drawing::curve c{.name = printed("%zu hops, %zu nodes", d, found.rings[d].nodes.size()),
                     .color = drawing::shade(0.9 * static_cast<double>(d) /
                                             static_cast<double>(std::max<std::size_t>(1, last))),
                     .points = {}};
    c.marks = false;
    for (std::size_t k = 0; k < t.history.size(); ++k)
      c.points.push_back({t.history[k].tick, found.rings[d].accuracy[k]});
    chart.add(std::move(c));
  }
  return chart.svg();
}

/// The observation that is nearest to a tick.
observation const &seen_at(training const &t, double tick) {
  return *std::min_element(t.history.begin(), t.history.end(),
                           [&](observation const &x, observation const &y) {
                             return std::abs(x.tick - tick) < std::abs(y.tick - tick);
                           });
}

/// Nodes by arrival, the last first; among those that never learnt it the least accurate.
std::vector<node> last_learners(network const &net, training const &t, analysis const &found) {
  std::vector<node> order;
  for (node i = 0; i < net.nodes(); ++i)
    if (net.distance[i] > 0) order.push_back(i);
  auto const &end = t.history.back().rare;
  std::stable_sort(order.begin(), order.end(), [&](node i, node j) {
    if (found.arrival[i] != found.arrival[j]) return found.arrival[i] > found.arrival[j];
    return end[i] < end[j];
  });
  order.resize(std::min<std::size_t>(5, order.size()));
  return order;
}

}  // namespace

std::string story(arguments const &a, network const &net, training const &t,
                  analysis const &found) {
  observation const &end = t.history.back();
  std::string text = printed("%zu nodes, %zu edges; class %zu on %zu of them:", net.nodes(),
                             net.graph.edges(), a.rare, net.seeds.size());
  for (std::size_t k = 0; k < std::min<std::size_t>(8, net.seeds.size()); ++k)
    text += printed(" %u", net.seeds[k]);
  text += net.seeds.size() > 8 ? " ...\n\n" : "\n\n";
  text += printed("Tick at which accuracy on class %zu was %g or more\n\n", a.rare, a.threshold);
  text += printed("%8s%8s%12s%12s%12s%12s%14s\n", "hops", "nodes", "first node", "half", "all",
                  "the mean", "mean at end");
  for (std::size_t d = 0; d < found.rings.size(); ++d) {
    ring const &r = found.rings[d];
    text += printed("%8zu%8zu%12s%12s%12s%12s%14.3f\n", d, r.nodes.size(), when(r.first).c_str(),
                    when(r.half).c_str(), when(r.all).c_str(), when(r.mean_arrival).c_str(),
                    r.accuracy.back());
  }
  auto const learnt = std::count_if(found.arrival.begin(), found.arrival.end(),
                                    [](double tick) { return std::isfinite(tick); });
  double all = 0;
  for (double const one : end.all) all += one / static_cast<double>(net.nodes());
  text += printed("\nBy tick %.0f %zu of %zu nodes had learnt it; accuracy on all classes %.3f.\n",
                  end.tick, static_cast<std::size_t>(learnt), net.nodes(), all);
  text += "Last:";
  for (node const i : last_learners(net, t, found))
    text += printed("%s node %u (%u hops, degree %zu) %s", text.ends_with(':') ? "" : ";", i,
                    net.distance[i], net.graph.degree(i), when(found.arrival[i]).c_str());
  text += ".\nRank correlation of a node's tick, seeds left out, with its";
  for (std::size_t k = 0; k < found.correlations.size(); ++k) {
    correlation const &one = found.correlations[k];
    text += (k > 0 ? ", " : " ") + one.with + " " +
            (std::isfinite(one.value) ? printed("%+.2f", one.value) : "none");
  }
  return text + ".\n";
}

void write_all(arguments const &a, network const &net, training const &t, analysis const &found) {
  simulate::make_folder(a.out);
  auto const write = [&](std::string const &name, std::string const &content) {
    simulate::write_whole(a.out + "/" + name, content);
  };
  write("by_distance.csv", by_distance_table(t, found));
  write("nodes.csv", nodes_table(net, t, found));
  write("correlations.csv", correlations_table(found));
  write("by_distance.svg", chart(a, t, found));
  write("config.json", configuration_of(a, net).dump(2) + '\n');
  write("metrics.jsonl", lines_of_records(t));
  write("summary.json", gossip::to_json(t.report).dump(2) + '\n');
  write("graph.json", simulate::graph_json(net.graph));
  write("nodes.jsonl", lines_of_nodes(t));
  auto const places = drawing::layout(net.graph);
  for (std::size_t const tick : a.maps) {
    observation const &seen = seen_at(t, static_cast<double>(tick));
    write("map_" + std::to_string(tick) + ".svg",
          map_svg(net, places, seen.rare, printed("tick %.0f", seen.tick),
                  "accuracy on class " + std::to_string(a.rare)));
  }
  write("story.txt", story(a, net, t, found));
}

}  // namespace propagation
