# gossip::graph: what the headers that meet Boost.Graph need. Headers only; nothing of Boost is
# linked. Sets gossip_graph_FOUND.
if(NOT TARGET gossip::graph)
  find_package(Boost 1.71 QUIET CONFIG)
  find_path(GOSSIP_BOOST_GRAPH boost/graph/adjacency_list.hpp HINTS ${Boost_INCLUDE_DIRS})
  mark_as_advanced(GOSSIP_BOOST_GRAPH)
  if(TARGET Boost::headers AND GOSSIP_BOOST_GRAPH)
    add_library(gossip_graph INTERFACE IMPORTED GLOBAL)
    target_link_libraries(gossip_graph INTERFACE gossip::gossip Boost::headers)
    add_library(gossip::graph ALIAS gossip_graph)
  endif()
endif()
gossip_component(graph "Boost 1.71 or later with Boost.Graph (libboost-graph-dev)")
