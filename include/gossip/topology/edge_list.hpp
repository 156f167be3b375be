// A graph from a text file with two node numbers a line, as SNAP and many others publish them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/settle.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The undirected graph of an edge list, gzipped or not. Comments begin with #, % or //; numbers
/// are separated by blanks or commas; columns after the second are ignored. Node numbers need not
/// be dense: they become 0..n-1 in ascending order. Self-loops are dropped, repeated edges merged.
/// With largest_component set the rest of a graph in pieces is left out.
struct edge_list {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected two node numbers below 2^64, got 'abc'".
  graph build(std::uint64_t /*seed*/ = 0) const {
    std::vector<std::uint64_t> const ends = read();
    std::vector<std::uint64_t> numbers = ends;  // ascending: the place is the new number
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    auto const renumbered = [&numbers](std::uint64_t number) {
      auto const place = std::lower_bound(numbers.begin(), numbers.end(), number);
      return static_cast<node>(place - numbers.begin());
    };
    std::vector<edge> edges;
    edges.reserve(ends.size() / 2);
    for (std::size_t k = 0; k < ends.size(); k += 2)
      edges.push_back({renumbered(ends[k]), renumbered(ends[k + 1])});
    return detail::settle(graph::undirected(numbers.size(), edges), path, allow_disconnected,
                          largest_component);
  }

  static constexpr char const *name = "edge_list";
  static constexpr char const *meaning = "two node numbers a line, as SNAP publishes graphs";
  static constexpr auto members() {
    return member_list{described("path", &edge_list::path, "the file, gzipped or not"),
                       described("allow_disconnected", &edge_list::allow_disconnected,
                                 "take a graph in pieces as it is"),
                       described("largest_component", &edge_list::largest_component,
                                 "keep the largest piece only")};
  }

 private:
  /// The ends of all edges as the file numbers them, two an edge.
  std::vector<std::uint64_t> read() const {
    detail::lines file(path);
    std::vector<std::uint64_t> ends;
    std::string_view line;
    while (file.next(line)) {
      if (detail::is_comment(line)) continue;
      std::string_view rest = line;
      std::uint64_t from = 0;
      std::uint64_t to = 0;
      if (!detail::take_number(rest, from) || !detail::take_number(rest, to))
        file.fail("two node numbers below 2^64", detail::lines::quoted(line));
      if (ends.size() == 2 * graph::most_edges)
        file.fail("at most " + std::to_string(graph::most_edges) + " edges", "more");
      ends.push_back(from);
      ends.push_back(to);
    }
    if (ends.empty()) throw input_error(path, "at least one edge", "none");
    return ends;
  }
};

static_assert(topology<edge_list>);

}  // namespace gossip
