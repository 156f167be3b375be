// Links that differ: of nodes, of edges, within regions and between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <gossip/clock/link.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

namespace detail {

/// The members of a link, of an aggregate that has them.
template <class Link>
constexpr auto latency_of() {
  return described("latency", &Link::latency, "latency of every message",
                   {.may_be_left_out = true});
}
template <class Link>
constexpr auto bandwidth_of(char const *meaning) {
  return described("bandwidth", &Link::bandwidth, meaning,
                   {.above_least = true, .may_be_left_out = true}, gossip::unit::bytes_a_second);
}

}  // namespace detail

/// A node behind a link of its own.
struct node_link {
  node which = 0;
  virtual_time latency = link{}.latency;
  double bandwidth = link{}.bandwidth;  // bytes a second, in each direction

  static constexpr char const *name = "node_link";
  static constexpr char const *meaning = "a node with a network interface of its own";
  static constexpr auto members() {
    return member_list{
        described("node", &node_link::which, "number of the node", {.most = node_limit - 1}),
        detail::latency_of<node_link>(),
        detail::bandwidth_of<node_link>("bandwidth of the node's interface")};
  }
};

/// The messages from one node to another.
struct edge_link {
  node from = 0, to = 0;
  virtual_time latency = link{}.latency;
  double bandwidth = link{}.bandwidth;  // bytes a second, of each message

  static constexpr char const *name = "edge_link";
  static constexpr char const *meaning = "the messages from one node to a second one";
  static constexpr auto members() {
    return member_list{described("from", &edge_link::from, "number of the node that sends",
                                 {.most = node_limit - 1}),
                       described("to", &edge_link::to, "number of the node that receives",
                                 {.most = node_limit - 1}),
                       detail::latency_of<edge_link>(),
                       detail::bandwidth_of<edge_link>("bandwidth of each message")};
  }
};

/// Nodes that follow each other in number, and their network.
struct region {
  std::size_t nodes = 1;
  virtual_time latency = link{}.latency;
  double bandwidth = link{}.bandwidth;  // bytes a second, of each node's interface

  static constexpr char const *name = "region";
  static constexpr char const *meaning = "nodes with consecutive numbers";
  static constexpr auto members() {
    return member_list{described("nodes", &region::nodes, "number of nodes", {.least = 1}),
                       detail::latency_of<region>(),
                       detail::bandwidth_of<region>("bandwidth of each node's interface")};
  }
};

/// The messages between two regions, in both directions or one.
struct region_link {
  std::size_t from = 0, to = 0;
  virtual_time latency = link{}.latency;
  double bandwidth = link{}.bandwidth;  // bytes a second, of each message
  bool one_way = false;                 // only messages from `from` to `to`

  static constexpr char const *name = "region_link";
  static constexpr char const *meaning = "messages between two regions";
  static constexpr auto members() {
    return member_list{
        described("from", &region_link::from, "number of the first region, counted from 0"),
        described("to", &region_link::to, "number of the second region, counted from 0"),
        detail::latency_of<region_link>(),
        detail::bandwidth_of<region_link>("bandwidth of each message"),
        described("one_way", &region_link::one_way,
                  "apply the link to messages from `from` to `to` alone; false: in both directions",
                  {.may_be_left_out = true})};
  }
};

/// Links that are not those of all. The narrowest and the slowest of those that a message passes
/// count: of its edge or of its regions, and of both nodes.
struct differing_links {
  std::vector<node_link> nodes{};
  std::vector<edge_link> edges{};
  std::vector<region> regions{};       ///< of all nodes, or none
  std::vector<region_link> between{};  ///< other pairs have the link of all
  std::string matrix{};  ///< a CSV file of links of all regions, before `between`; empty: none

  bool empty() const {
    return nodes.empty() && edges.empty() && regions.empty() && between.empty() && matrix.empty();
  }

  /// The same links with what the file says in `regions` and before `between`. Throws input_error
  /// as read_region_links does, and for a file without regions.
  differing_links with_matrix() const;

  static constexpr char const *name = "links";
  static constexpr char const *meaning = "links that differ from the link of the clock";
  static constexpr auto members() {
    return member_list{
        described("nodes", &differing_links::nodes, "nodes with a network interface of their own"),
        described("edges", &differing_links::edges,
                  "directed edges with a latency and a bandwidth of their own"),
        described("regions", &differing_links::regions,
                  "regions, which together have all nodes in ascending order; empty: no regions"),
        described(
            "between", &differing_links::between,
            "pairs of regions with a latency and a bandwidth of their own; other pairs use link"),
        described("matrix", &differing_links::matrix,
                  "CSV file of pairs of regions, with columns from, to, latency, bandwidth, "
                  "gzipped or not; empty: no file",
                  {.may_be_left_out = true})};
  }
};

/// The links of owners, nodes and then servers, which have the link of all and are in the first
/// region.
class link_table {
 public:
  /// Throws input_error for links, nodes and regions that cannot be.
  link_table(link const &all, differing_links const &differing, std::size_t nodes);

  /// The link of messages from one owner to another.
  link between(node from, node to) const;

  /// What the interface of an owner sends at most, and receives, in bytes a second.
  double interface_of(node i) const {
    if (auto const own = own_.find(i); own != own_.end()) return own->second.bandwidth;
    return regions_.empty() || i >= nodes_ ? all_.bandwidth : regions_[region_of(i)].bandwidth;
  }

 private:
  static std::uint64_t key(node from, node to) { return std::uint64_t{from} << 32 | to; }

  std::size_t region_of(node i) const {
    if (i >= nodes_) return 0;
    auto const after = std::ranges::upper_bound(first_, std::size_t{i});
    return static_cast<std::size_t>(after - first_.begin());
  }

  template <class Link>
  static link check(std::string const &where, Link const &one) {
    if (one.latency < virtual_time(0))
      throw input_error("clock: " + where, "a latency of at least 0 ns",
                        std::to_string(one.latency.count()) + " ns");
    if (!(one.bandwidth > 0.0))
      throw input_error("clock: " + where, "a bandwidth above 0 bytes a second",
                        detail::shortest(one.bandwidth));
    return {one.latency, one.bandwidth};
  }
  void require_node(std::string const &where, node i) const {
    if (i >= nodes_)
      throw input_error("clock: " + where, "a node below " + std::to_string(nodes_),
                        std::to_string(i));
  }

  void take(region_link const &one);
  void take(node_link const &one);
  void take(edge_link const &one);

  link all_;
  std::size_t nodes_;
  std::vector<region> regions_;
  std::vector<std::size_t> first_;  // (regions) the first node after each
  std::vector<link> between_;       // (regions, regions)
  std::unordered_map<node, link> own_;
  std::unordered_map<std::uint64_t, link> edges_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/links.ipp>
#endif
