// A graph from a text file with a node and its neighbors a line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
#include <gossip/topology/detail/settle.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The undirected graph of adjacency lists, gzipped or not: a node, then its neighbors, all or
/// those that no earlier line has named (write_adjlist of networkx). A node has one line at most.
/// Comments and separators are those of edge_list; node numbers become 0..n-1 in ascending order.
/// Self-loops are dropped, an edge that both of its nodes name is one.
struct adjacency_list {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected node numbers below 2^64, got 'a'".
  graph build(std::uint64_t /*seed*/ = 0) const {
    std::vector<std::uint64_t> ends, numbers;
    read(ends, numbers);
    numbers.insert(numbers.end(), ends.begin(), ends.end());
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    auto const renumbered = [&numbers](std::uint64_t number) {
      return static_cast<node>(std::ranges::lower_bound(numbers, number) - numbers.begin());
    };
    std::vector<edge> edges;
    for (std::size_t k = 0; k < ends.size(); k += 2)
      edges.push_back({renumbered(ends[k]), renumbered(ends[k + 1])});
    return detail::settle(graph::undirected(numbers.size(), edges), path, allow_disconnected,
                          largest_component);
  }

  static constexpr char const *name = "adjacency_list";
  static constexpr char const *meaning = "file with a node and its neighbors per line";
  static constexpr auto members() { return detail::file_members<adjacency_list>(); }

 private:
  /// The ends of all edges, two an edge, and the nodes that have a line.
  void read(std::vector<std::uint64_t> &ends, std::vector<std::uint64_t> &numbers) const {
    detail::lines file(path);
    std::string_view line;
    while (file.next(line)) {
      if (detail::is_comment(line)) continue;
      std::string_view rest = line.substr(0, line.find(" #"));
      std::uint64_t own = 0, other = 0;
      if (!detail::take_number(rest, own)) refuse(file, line);
      numbers.push_back(own);
      while (detail::take_number(rest, other)) {
        if (ends.size() == 2 * graph::most_edges)
          file.fail("at most " + std::to_string(graph::most_edges) + " edges", "more edges");
        ends.insert(ends.end(), {own, other});
      }
      if (rest.find_first_not_of(" \t,") != std::string_view::npos) refuse(file, line);
    }
    if (ends.empty()) throw input_error(path, "at least one edge", "none");
    std::vector<std::uint64_t> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    if (auto const twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      throw input_error(path, "a line for each node at most",
                        "two for node " + std::to_string(*twice));
  }

  [[noreturn]] static void refuse(detail::lines const &file, std::string_view line) {
    file.fail("node numbers below 2^64", detail::lines::quoted(line));
  }
};

static_assert(topology<adjacency_list>);

}  // namespace gossip
