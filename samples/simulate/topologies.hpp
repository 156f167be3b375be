// The topologies that the driver offers: a line each.
#pragma once

#include <string>
#include <tuple>

#include <gossip/topology/adjacency_list.hpp>
#include <gossip/topology/adjacency_matrix.hpp>
#include <gossip/topology/barabasi_albert.hpp>
#include <gossip/topology/base_graph.hpp>
#include <gossip/topology/chain.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/dumbbell.hpp>
#include <gossip/topology/edge_schedule.hpp>
#include <gossip/topology/equi_dynamic.hpp>
#include <gossip/topology/equi_static.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/graph_file.hpp>
#include <gossip/topology/graphml_file.hpp>
#include <gossip/topology/grid.hpp>
#include <gossip/topology/group_grid.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/matrix_market.hpp>
#include <gossip/topology/metis_graph.hpp>
#include <gossip/topology/one_peer_exponential.hpp>
#include <gossip/topology/random_out.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/ring_lattice.hpp>
#include <gossip/topology/shrinking_lattice.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/stochastic_blocks.hpp>
#include <gossip/topology/torus.hpp>
#include <gossip/topology/tree.hpp>
#include <gossip/topology/watts_strogatz.hpp>

#include "policies.hpp"

namespace simulate {

/// Takes a Matrix Market or GraphML file too.
struct edge_list : gossip::graph_file {
  static constexpr char const *name = "edge_list";
  static constexpr char const *meaning =
      "file with two node numbers per line, as SNAP publishes graphs; a Matrix Market or GraphML "
      "file is recognized by its content";
};

inline auto offered_topologies() {
  return std::tuple{gossip::ring{.nodes = 64},                                 //
                    gossip::ring_lattice{.nodes = 64, .degree = 8},            //
                    gossip::chain{.nodes = 64},                                //
                    gossip::grid{.rows = 8, .columns = 8},                     //
                    gossip::torus{.rows = 8, .columns = 8},                    //
                    gossip::complete{.nodes = 64},                             //
                    gossip::star{.nodes = 64},                                 //
                    gossip::tree{.nodes = 63},                                 //
                    gossip::dumbbell{.clique = 32},                            //
                    gossip::hypercube{.dimension = 6},                         //
                    gossip::exponential{.nodes = 64},                          //
                    gossip::one_peer_exponential{.nodes = 64},                 //
                    gossip::base_graph{.nodes = 64},                           //
                    gossip::equi_static{.nodes = 64},                          //
                    gossip::equi_dynamic{.nodes = 64},                         //
                    gossip::group_grid{.nodes = 64},                           //
                    gossip::shrinking_lattice{.nodes = 64, .degree = 16},      //
                    gossip::random_regular{.nodes = 64, .degree = 8},          //
                    gossip::erdos_renyi{.nodes = 64, .probability = 0.15},     //
                    gossip::watts_strogatz{.nodes = 64, .degree = 8},          //
                    gossip::barabasi_albert{.nodes = 64, .edges_each = 4},     //
                    gossip::stochastic_blocks{.blocks = 4, .block_size = 16},  //
                    gossip::random_out{.nodes = 64, .degree = 8},              //
                    edge_list{},                                               //
                    gossip::matrix_market{},                                   //
                    gossip::graphml_file{},                                    //
                    gossip::adjacency_list{},                                  //
                    gossip::adjacency_matrix{},                                //
                    gossip::metis_graph{},                                     //
                    gossip::edge_schedule{}};
}
using chosen_topology = one_of<offered_topologies>;

/// Whether the graph of a topology depends on the seed.
inline bool is_random(std::string const &name) {
  auto const names = [&name](auto const &...random) { return ((name == random.name) || ...); };
  return names(gossip::equi_static{}, gossip::equi_dynamic{}, gossip::group_grid{},
               gossip::random_regular{}, gossip::erdos_renyi{}, gossip::watts_strogatz{},
               gossip::barabasi_albert{}, gossip::stochastic_blocks{}, gossip::random_out{});
}

}  // namespace simulate
