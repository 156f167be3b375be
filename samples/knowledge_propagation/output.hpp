// The files and the story of a run.
#pragma once

#include <string>

#include "analysis.hpp"

namespace propagation {

/// When the class arrived at which distance, who learnt last, and what that goes with.
std::string story(arguments const &a, network const &net, training const &t, analysis const &found);

/// Tables by_distance.csv, nodes.csv and correlations.csv; by_distance.svg, map_<tick>.svg;
/// story.txt; config.json, metrics.jsonl, summary.json, graph.json and nodes.jsonl, which
/// gossip-report reads: each whole or not at all. Throws as simulate::write_whole.
void write_all(arguments const &a, network const &net, training const &t, analysis const &found);

}  // namespace propagation
