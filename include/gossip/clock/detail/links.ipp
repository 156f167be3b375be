// Definitions of clock/links.hpp.
#pragma once

#include <gossip/clock/links.hpp>

#include <gossip/clock/region_trace.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE differing_links differing_links::with_matrix() const {
  if (matrix.empty()) return *this;
  std::size_t const count = regions.size();
  if (count == 0) throw input_error("clock: links: matrix", "regions", "none");
  auto const read = read_region_links(matrix, count);
  differing_links made = *this;
  made.matrix.clear();
  made.between.clear();
  for (std::size_t k = 0; k < read.size(); ++k) {
    if (!read[k]) continue;
    std::size_t const from = k / count, to = k % count;
    if (from != to)
      made.between.push_back({from, to, read[k]->latency, read[k]->bandwidth, true});
    else
      made.regions[from] = {regions[from].nodes, read[k]->latency, read[k]->bandwidth};
  }
  made.between.insert(made.between.end(), between.begin(), between.end());
  return made;
}

GOSSIP_INLINE link_table::link_table(link const &all, differing_links const &differing,
                                     std::size_t nodes)
    : all_(all), nodes_(nodes), regions_(differing.regions) {
  if (!differing.matrix.empty()) {  // of a clock that is not prepared
    *this = link_table(all, differing.with_matrix(), nodes);
    return;
  }
  all_.check();
  std::size_t members = 0;
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    check("region " + std::to_string(r), regions_[r]);
    members += regions_[r].nodes;
    first_.push_back(members);
  }
  if (!regions_.empty() && members != nodes)
    throw input_error("clock: regions", std::to_string(nodes) + " nodes together",
                      std::to_string(members));
  between_.assign(regions_.size() * regions_.size(), all_);
  for (region_link const &one : differing.between) take(one);
  for (node_link const &one : differing.nodes) take(one);
  for (edge_link const &one : differing.edges) take(one);
}

GOSSIP_INLINE link link_table::between(node from, node to) const {
  link way = all_;
  if (auto const edge = edges_.find(key(from, to)); edge != edges_.end()) {
    way = edge->second;
  } else if (!regions_.empty()) {
    std::size_t const a = region_of(from), b = region_of(to);
    way = a == b ? link{regions_[a].latency, regions_[a].bandwidth}
                 : between_[a * regions_.size() + b];
  }
  for (node const end : {from, to}) {
    way.bandwidth = std::min(way.bandwidth, interface_of(end));
    if (auto const own = own_.find(end); own != own_.end())
      way.latency = std::max(way.latency, own->second.latency);
  }
  return way;
}

GOSSIP_INLINE void link_table::take(region_link const &one) {
  std::string const where =
      "link of regions " + std::to_string(one.from) + " and " + std::to_string(one.to);
  std::size_t const count = regions_.size();
  if (one.from >= count || one.to >= count || one.from == one.to)
    throw input_error("clock: " + where, "two regions below " + std::to_string(count),
                      std::to_string(one.from) + " and " + std::to_string(one.to));
  between_[one.from * count + one.to] = check(where, one);
  if (!one.one_way) between_[one.to * count + one.from] = between_[one.from * count + one.to];
}

GOSSIP_INLINE void link_table::take(node_link const &one) {
  std::string const where = "link of node " + std::to_string(one.which);
  require_node(where, one.which);
  if (!own_.emplace(one.which, check(where, one)).second)
    throw input_error("clock: " + where, "one link", "two");
}

GOSSIP_INLINE void link_table::take(edge_link const &one) {
  std::string const where =
      "link from node " + std::to_string(one.from) + " to " + std::to_string(one.to);
  require_node(where, one.from);
  require_node(where, one.to);
  if (one.from == one.to)
    throw input_error("clock: " + where, "two different nodes",
                      "twice node " + std::to_string(one.to));
  if (!edges_.emplace(key(one.from, one.to), check(where, one)).second)
    throw input_error("clock: " + where, "one link", "two");
}

}  // namespace gossip
