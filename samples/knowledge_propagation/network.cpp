#include "network.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/graph/boost.hpp>
#include <gossip/topology/graph_file.hpp>
#include <gossip/topology/random_regular.hpp>

#include <boost/graph/betweenness_centrality.hpp>

namespace propagation {

using gossip::node;

std::uint32_t network::farthest() const {
  return *std::max_element(distance.begin(), distance.end());
}

std::vector<std::uint32_t> hops(gossip::graph const &g, std::span<node const> sources) {
  std::vector<std::uint32_t> from(g.nodes(), ~0U);
  std::vector<node> reached(sources.begin(), sources.end());
  for (node const i : reached) from[i] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    node const i = reached[next];
    for (node const j : g.neighbors(i))
      if (from[j] == ~0U) {
        from[j] = from[i] + 1;
        reached.push_back(j);
      }
  }
  return from;
}

namespace {

std::size_t seed_number(std::string const &part, std::string const &all) {
  std::size_t n = 0;
  auto const [end, code] = std::from_chars(part.data(), part.data() + part.size(), n);
  if (code != std::errc{} || end != part.data() + part.size())
    throw gossip::input_error("--seeds", "hub:K, periphery:K, random:K or node numbers as 3,17",
                              "'" + all + "'");
  return n;
}

/// The nodes numbered in a list.
std::vector<node> listed(gossip::graph const &g, std::string const &list) {
  std::vector<node> seeds;
  for (std::size_t first = 0; first <= list.size();) {
    std::size_t const end = std::min(list.find(',', first), list.size());
    std::size_t const i = seed_number(list.substr(first, end - first), list);
    if (i >= g.nodes())
      throw gossip::input_error("--seeds", "nodes below " + std::to_string(g.nodes()),
                                std::to_string(i));
    seeds.push_back(static_cast<node>(i));
    first = end + 1;
  }
  return seeds;
}

std::vector<node> choose_seeds(gossip::graph const &g, arguments const &a) {
  std::size_t const colon = a.seeds.find(':');
  std::string const kind = a.seeds.substr(0, colon);
  std::vector<node> order(g.nodes());
  std::iota(order.begin(), order.end(), node{0});
  if (colon == std::string::npos) {
    order = listed(g, a.seeds);
  } else {
    std::size_t const count = seed_number(a.seeds.substr(colon + 1), a.seeds);
    if (count == 0 || count > g.nodes())
      throw gossip::input_error("--seeds", "from 1 to " + std::to_string(g.nodes()) + " nodes",
                                std::to_string(count));
    auto const larger = [&](node i, node j) { return g.degree(i) > g.degree(j); };
    auto const smaller = [&](node i, node j) { return g.degree(i) < g.degree(j); };
    gossip::keyed_random random(a.seed, gossip::purpose::user, 0, 0);
    if (kind == "hub")
      std::stable_sort(order.begin(), order.end(), larger);
    else if (kind == "periphery")
      std::stable_sort(order.begin(), order.end(), smaller);
    else if (kind == "random")
      for (std::size_t i = 0; i < count; ++i)
        std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(order.size() - i))]);
    else
      seed_number("", a.seeds);
    order.resize(count);
  }
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  return order;
}

void find_centralities(network &net) {
  std::size_t const n = net.nodes();
  for (node i = 0; i < n; ++i) {
    auto const from = hops(net.graph, std::span(&i, 1));
    double const sum = std::accumulate(from.begin(), from.end(), 0.0);
    net.closeness.push_back(sum > 0 ? static_cast<double>(n - 1) / sum : 0);
  }
  auto const g = gossip::to_boost(net.graph);
  net.betweenness.assign(n, 0);
  boost::brandes_betweenness_centrality(
      g, boost::make_iterator_property_map(net.betweenness.begin(), get(boost::vertex_index, g)));
}

}  // namespace

network build_network(arguments const &a) {
  network net;
  if (a.graph == "random_regular")
    net.graph = gossip::random_regular{.nodes = a.nodes, .degree = a.degree}.build(a.seed);
  else
    net.graph = gossip::graph_file{a.graph}.build(a.seed);
  if (net.graph.directed())
    throw gossip::input_error("--graph", "an undirected graph", "a directed graph");
  net.seeds = choose_seeds(net.graph, a);
  net.distance = hops(net.graph, net.seeds);
  if (net.farthest() == ~0U)
    throw gossip::input_error("--graph", "a graph with a path from a seed to every node",
                              "a graph that is not connected");
  find_centralities(net);
  return net;
}

}  // namespace propagation
