// Definitions of topology/adjacency_list.hpp.
#pragma once

#include <gossip/topology/adjacency_list.hpp>

#include <algorithm>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>

namespace gossip {

GOSSIP_INLINE graph adjacency_list::build(std::uint64_t /*seed*/) const {
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

GOSSIP_INLINE void adjacency_list::read(std::vector<std::uint64_t> &ends,
                                        std::vector<std::uint64_t> &numbers) const {
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

}  // namespace gossip
