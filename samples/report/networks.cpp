#include "networks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>

#include "run_files.hpp"
#ifdef REPORT_BOOST_GRAPH
#include "../drawing/network_layout.hpp"
#endif

namespace report {

namespace {

constexpr std::size_t most_edges_drawn = 60'000;
constexpr std::size_t most_codes = 2'500'000;  // in a page, of all runs

/// The value of a member that is a whole number below a limit.
std::size_t whole(std::string const &where, json const &value, std::string const &expected,
                  std::size_t below) {
  if (!value.is_number_unsigned() || value.get<std::size_t>() >= below)
    throw gossip::input_error(where, expected, beginning(value.dump()));
  return value.get<std::size_t>();
}

gossip::graph graph_in(std::string const &path) {
  json const j = object_of(path);
  std::size_t const n = whole(path, j.value("nodes", json()), "a number of nodes below 2^32",
                              std::numeric_limits<std::uint32_t>::max());
  if (n == 0) throw gossip::input_error(path, "at least one node", "none");
  json const edges = j.value("edges", json());
  if (!edges.is_array())
    throw gossip::input_error(path, "an array 'edges'", beginning(edges.dump()));
  std::vector<gossip::edge> pairs;
  for (json const &one : edges) {
    std::string const expected = "pairs of nodes below " + std::to_string(n);
    if (!one.is_array() || one.size() != 2)
      throw gossip::input_error(path, expected, beginning(one.dump()));
    pairs.push_back({static_cast<gossip::node>(whole(path, one[0], expected, n)),
                     static_cast<gossip::node>(whole(path, one[1], expected, n))});
  }
  return j.value("directed", false) ? gossip::graph::directed(n, pairs)
                                    : gossip::graph::undirected(n, pairs);
}

/// An observation's values of one quantity, NaN of nodes that were not evaluated.
std::vector<float> values_in(std::string const &where, std::string const &name, json const &values,
                             std::vector<std::size_t> const &evaluated, std::size_t nodes) {
  std::size_t const count = evaluated.empty() ? nodes : evaluated.size();
  if (!values.is_array() || values.size() != count)
    throw gossip::input_error(
        where, std::to_string(count) + " numbers '" + name + "'",
        values.is_array() ? std::to_string(values.size()) : beginning(values.dump()));
  std::vector<float> all(nodes, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t k = 0; k < count; ++k) {
    if (!values[k].is_number() && !values[k].is_null())
      throw gossip::input_error(where, "numbers '" + name + "'", beginning(values[k].dump()));
    if (values[k].is_number()) all[evaluated.empty() ? k : evaluated[k]] = values[k].get<float>();
  }
  return all;
}

/// All observations of a file, as numbers.
struct history {
  std::vector<moment> moments;
  std::vector<std::string> names;                                  // in the order of the file
  std::map<std::string, std::vector<std::vector<float>>> numbers;  // an observation each
};

history history_in(std::string const &path, std::size_t nodes) {
  history h;
  each_observation(path, [&](std::string const &where, json const &line) {
    std::vector<std::size_t> evaluated;
    for (json const &one : line.value("evaluated", json::array()))
      evaluated.push_back(
          whole(where, one, "'evaluated' nodes below " + std::to_string(nodes), nodes));
    json const quantities = line.value("nodes", json());
    if (!quantities.is_object() || quantities.empty())
      throw gossip::input_error(where, "an object 'nodes' of numbers",
                                beginning(quantities.dump()));
    for (auto const &[name, values] : quantities.items()) {
      if (!h.numbers.contains(name)) h.names.push_back(name);
      auto &all = h.numbers[name];
      all.resize(h.moments.size());  // of observations that had none
      all.push_back(values_in(where, name, values, evaluated, nodes));
    }
    h.moments.push_back({line["epoch"].get<double>(), line["virtual_seconds"].get<double>(),
                         line["bytes_sent"].get<double>()});
  });
  if (h.moments.empty()) throw gossip::input_error(path, "at least one observation", "none");
  for (auto &[name, all] : h.numbers) all.resize(h.moments.size());
  return h;
}

node_quantity coded(std::string const &name, std::vector<std::vector<float>> const &observations,
                    std::vector<std::size_t> const &kept, std::size_t nodes) {
  node_quantity q{.name = name,
                  .low = std::numeric_limits<double>::infinity(),
                  .high = -std::numeric_limits<double>::infinity(),
                  .codes = std::string(kept.size() * nodes, '\0')};
  for (auto const &one : observations)
    for (float const v : one)
      if (std::isfinite(v)) {
        q.low = std::min<double>(q.low, v);
        q.high = std::max<double>(q.high, v);
      }
  double const span = q.high > q.low ? q.high - q.low : 1;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    auto const &one = observations[kept[k]];
    for (std::size_t i = 0; i < one.size(); ++i)
      if (std::isfinite(one[i]))
        q.codes[k * nodes + i] =
            static_cast<char>(1 + std::lround(254 * ((one[i] - q.low) / span)));
  }
  if (!std::isfinite(q.low)) q.low = q.high = 0;  // no node was ever evaluated
  return q;
}

/// So many of the numbers below n, evenly, the first and the last among them.
std::vector<std::size_t> evenly(std::size_t n, std::size_t count) {
  std::vector<std::size_t> chosen;
  count = std::min(n, std::max<std::size_t>(2, count));
  for (std::size_t k = 0; k < count; ++k)
    chosen.push_back(count == 1 ? n - 1 : k * (n - 1) / (count - 1));
  return chosen;
}

void place(gossip::graph const &graph, network &to) {
#ifdef REPORT_BOOST_GRAPH
  auto const fixed = [](double part) {
    return static_cast<std::uint16_t>(std::lround(65535 * part));
  };
  auto const edges = graph.edge_list();
  auto const places = graph.directed()
                          ? drawing::layout(gossip::graph::undirected(graph.nodes(), edges))
                          : drawing::layout(graph);
  for (auto const &[x, y] : places) to.places.push_back({fixed(x), fixed(y)});
  if (edges.empty()) return;
  for (std::size_t const k : evenly(edges.size(), most_edges_drawn))
    to.edges.push_back(
        {static_cast<std::uint16_t>(edges[k].from), static_cast<std::uint16_t>(edges[k].to)});
#else
  static_cast<void>(graph), static_cast<void>(to);
#endif
}

}  // namespace

std::vector<network> networks_of(std::vector<run> const &runs) {
  std::vector<run const *> shown;
  for (run const &r : runs)
    if (is_there(r.folder + "/graph.json") && is_there(r.folder + "/nodes.jsonl"))
      shown.push_back(&r);
  std::vector<network> all;
  std::vector<gossip::graph> placed;  // that of each in `all`
  for (run const *r : shown) {
    gossip::graph graph = graph_in(r->folder + "/graph.json");
    network made;
    made.name = r->name;
    made.nodes = graph.nodes();
    made.edges_in_all = graph.edges();
    made.directed = graph.directed();
    auto const same = std::find(placed.begin(), placed.end(), graph);
    if (same != placed.end()) {
      network const &known = all[static_cast<std::size_t>(same - placed.begin())];
      made.edges = known.edges;
      made.places = known.places;
    } else if (graph.nodes() <= most_nodes_drawn) {
      place(graph, made);
    }
    if (!made.places.empty()) {
      history const h = history_in(r->folder + "/nodes.jsonl", graph.nodes());
      made.observations_in_all = h.moments.size();
      auto const kept = evenly(
          h.moments.size(),
          most_codes / (shown.size() * h.names.size() * std::max<std::size_t>(1, made.nodes)));
      for (std::size_t const k : kept) made.moments.push_back(h.moments[k]);
      for (std::string const &name : h.names)
        made.quantities.push_back(coded(name, h.numbers.at(name), kept, made.nodes));
    }
    placed.push_back(std::move(graph));
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace report
