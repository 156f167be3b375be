// The networks that runs kept, and what each node was worth at each observation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runs.hpp"

namespace report {

/// A number of each node at each observation, in 255 steps from the lowest to the highest.
struct node_quantity {
  std::string name;
  double low = 0, high = 0;
  std::string codes;  // (observations, nodes): 0 where there is none, 1 at low to 255 at high
};

/// The point of a run at which its nodes were observed.
struct moment {
  double epoch = 0, virtual_seconds = 0, bytes_sent = 0;
};

struct network {
  std::string name;  // of the run
  std::size_t nodes = 0;
  std::size_t edges_in_all = 0, observations_in_all = 0;
  bool directed = false;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> edges;   // not more than a picture shows
  std::vector<std::pair<std::uint16_t, std::uint16_t>> places;  // of nodes, x and y
  std::vector<moment> moments;
  std::vector<node_quantity> quantities;
};

/// Of more nodes no network is drawn.
inline constexpr std::size_t most_nodes_drawn = 20'000;

/// Of the runs that have graph.json and nodes.jsonl; those with too many nodes have no places.
/// Throws gossip::input_error with the file, and the line of it, that is damaged.
std::vector<network> networks_of(std::vector<run> const &runs);

/// The section of the page, and what its script draws; empty where there are none.
std::string network_section(std::vector<network> const &all);

}  // namespace report
