// The graph that a configuration names, and what is known of it before it is built.
#include "topologies.hpp"

#include "assembly.hpp"
#include "described.hpp"
#include "values.hpp"

namespace simulate {

namespace {

chosen_topology topology_of(configuration const &c) {
  return chosen_from<offered_topologies>(c["/topology"]);
}

}  // namespace

std::optional<gossip::graph_size> size_of_graph(configuration const &c) {
  auto const size = [](auto const &t) -> std::optional<gossip::graph_size> {
    if constexpr (requires { t.size(); }) return t.size();
    return std::nullopt;
  };
  return std::visit(size, topology_of(c));
}

gossip::graph graph_of(configuration const &c) {
  std::uint64_t const seed = own_seed(c["/topology"]).value_or(c["/seed"].get<std::uint64_t>());
  return std::visit([&](auto const &t) { return t.build(seed); }, topology_of(c));
}

}  // namespace simulate
