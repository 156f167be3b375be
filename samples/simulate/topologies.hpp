// The topologies that the driver offers: a line each.
#pragma once

#include <string>
#include <tuple>

#include <gossip/topology/complete.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/graph_file.hpp>
#include <gossip/topology/graphml_file.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/matrix_market.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/torus.hpp>

#include "policies.hpp"

namespace simulate {

/// Takes a Matrix Market or GraphML file too.
struct edge_list : gossip::graph_file {
  static constexpr char const *name = "edge_list";
  static constexpr char const *meaning =
      "two node numbers a line, as SNAP publishes graphs; a Matrix Market or GraphML file is known "
      "by "
      "its content";
};

inline auto offered_topologies() {
  return std::tuple{gossip::ring{.nodes = 64},                              //
                    gossip::torus{.rows = 8, .columns = 8},                 //
                    gossip::complete{.nodes = 64},                          //
                    gossip::star{.nodes = 64},                              //
                    gossip::hypercube{.dimension = 6},                      //
                    gossip::random_regular{.nodes = 64, .degree = 8},       //
                    gossip::erdos_renyi{.nodes = 64, .probability = 0.15},  //
                    edge_list{},                                            //
                    gossip::matrix_market{},                                //
                    gossip::graphml_file{}};
}
using chosen_topology = one_of<offered_topologies>;

/// Whether the graph of a topology depends on the seed.
inline bool is_random(std::string const &name) {
  return name == gossip::random_regular::name || name == gossip::erdos_renyi::name;
}

}  // namespace simulate
