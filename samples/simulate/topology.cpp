// The graph that a configuration names, and what is known of it before it is built.
#include <algorithm>

#include <gossip/graph/complete.hpp>
#include <gossip/graph/erdos_renyi.hpp>
#include <gossip/graph/graph_file.hpp>
#include <gossip/graph/matrix_market.hpp>
#include <gossip/graph/random_regular.hpp>
#include <gossip/graph/ring.hpp>
#include <gossip/graph/star.hpp>
#include <gossip/graph/torus.hpp>

#include "assembly.hpp"
#include "values.hpp"

namespace simulate {

std::optional<graph_size> size_of_graph(configuration const &c) {
  json const &t = c["/topology"];
  std::string const kind = kind_of(t);
  auto const size = [](std::size_t nodes, double edges) {
    return graph_size{nodes, static_cast<std::size_t>(std::min(edges, 1e15))};
  };
  if (kind == "edge_list" || kind == "matrix_market") return std::nullopt;
  if (kind == "torus") {
    double const n = number_at(t, "rows") * number_at(t, "columns");
    return size(static_cast<std::size_t>(n), 2 * n);
  }
  std::size_t const nodes = size_at(t, "nodes");
  double const n = static_cast<double>(nodes);
  if (kind == "complete") return size(nodes, n * (n - 1) / 2);
  if (kind == "random_regular") return size(nodes, n * number_at(t, "degree") / 2);
  if (kind == "erdos_renyi") return size(nodes, n * (n - 1) / 2 * number_at(t, "probability"));
  return size(nodes, n);
}

gossip::graph graph_of(configuration const &c) {
  json const &t = c["/topology"];
  std::uint64_t const seed = c["/seed"].get<std::uint64_t>();
  std::string const kind = kind_of(t);
  if (kind == "ring") return gossip::ring{size_at(t, "nodes")}.build(seed);
  if (kind == "torus") return gossip::torus{size_at(t, "rows"), size_at(t, "columns")}.build(seed);
  if (kind == "complete") return gossip::complete{size_at(t, "nodes")}.build(seed);
  if (kind == "star") return gossip::star{size_at(t, "nodes")}.build(seed);
  if (kind == "random_regular")
    return gossip::random_regular{size_at(t, "nodes"), size_at(t, "degree")}.build(seed);
  if (kind == "erdos_renyi")
    return gossip::erdos_renyi{size_at(t, "nodes"), number_at(t, "probability"),
                               flag_at(t, "allow_disconnected")}
        .build(seed);
  std::string const path = text_at(t, "path");
  bool const allowed = flag_at(t, "allow_disconnected"), largest = flag_at(t, "largest_component");
  if (kind == "matrix_market") return gossip::matrix_market{path, allowed, largest}.build(seed);
  return gossip::graph_file{path, allowed, largest}.build(seed);
}

}  // namespace simulate
