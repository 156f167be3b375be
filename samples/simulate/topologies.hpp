// The topologies that the driver offers: a line each.
#pragma once

#include <tuple>

#include <gossip/graph/complete.hpp>
#include <gossip/graph/erdos_renyi.hpp>
#include <gossip/graph/graph_file.hpp>
#include <gossip/graph/matrix_market.hpp>
#include <gossip/graph/random_regular.hpp>
#include <gossip/graph/ring.hpp>
#include <gossip/graph/star.hpp>
#include <gossip/graph/torus.hpp>

#include "policies.hpp"

namespace simulate {

/// Takes a Matrix Market file too.
struct edge_list : gossip::graph_file {
  static constexpr char const *name = "edge_list";
  static constexpr char const *meaning =
      "two node numbers a line, as SNAP publishes graphs; a Matrix Market file is known by its "
      "content";
};

inline auto offered_topologies() {
  return std::tuple{gossip::ring{.nodes = 64},                              //
                    gossip::torus{.rows = 8, .columns = 8},                 //
                    gossip::complete{.nodes = 64},                          //
                    gossip::star{.nodes = 64},                              //
                    gossip::random_regular{.nodes = 64, .degree = 8},       //
                    gossip::erdos_renyi{.nodes = 64, .probability = 0.15},  //
                    edge_list{},                                            //
                    gossip::matrix_market{}};
}
using chosen_topology = one_of<offered_topologies>;

}  // namespace simulate
