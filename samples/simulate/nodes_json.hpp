// The network and its nodes in a run's folder: graph.json and a line of nodes.jsonl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/graph/graph.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/record.hpp>

namespace simulate {

/// {"nodes": n, "edges": [[i, j], ...]}, i < j; arcs, and "directed": true, of a directed one.
std::string graph_json(gossip::graph const &network);

/// A quantity of nodes: its name and each one's value.
using node_values = std::pair<std::string, std::vector<double>>;

/// {"epoch", "virtual_seconds", "bytes_sent", "evaluated": [ids], "nodes": {name: values, ...}},
/// values with four digits behind the point. evaluated: the nodes that values are of; none: all of
/// them, and no such member.
std::string nodes_line(gossip::progress_mark const &mark,
                       std::vector<std::uint32_t> const &evaluated,
                       std::vector<node_values> quantities);

/// The same of accuracy and loss; a model that all nodes have is each one's.
std::string nodes_line(gossip::record const &r, gossip::node_scores const &scores,
                       std::size_t nodes);

}  // namespace simulate
