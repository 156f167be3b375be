// The nodes whose models were averaged, found from the averages alone.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "../catch.hpp"

namespace gossip::test {

/// The set of nodes, i among them and as bits, whose mean in columns first to last of `before` is
/// what node i has `after`; none where no set fits, or where several do. Rows (n,d) of numbers that
/// nothing relates, n at most 12.
inline std::optional<std::size_t> nodes_heard(std::vector<std::vector<double>> const &before,
                                              std::vector<double> const &after, std::size_t i,
                                              std::size_t first, std::size_t last) {
  std::optional<std::size_t> found;
  std::size_t fits = 0;
  for (std::size_t set = 0; set < std::size_t{1} << before.size(); ++set) {
    if ((set >> i & 1) == 0) continue;
    bool same = true;
    for (std::size_t c = first; c < last && same; ++c) {
      double sum = 0, count = 0;
      for (std::size_t j = 0; j < before.size(); ++j)
        if ((set >> j & 1) != 0) sum += before[j][c], ++count;
      same = std::abs(sum / count - after[c]) < 1e-12;
    }
    if (!same) continue;
    found = set;
    ++fits;
  }
  if (fits != 1) return std::nullopt;
  return found;
}

/// Rows (n,d) of all nodes before and after a mean of which every fragment, so many columns side by
/// side each, went to `peers` nodes of its own: all are heard, and no two alike.
inline void check_graphs_of_fragments(std::vector<std::vector<double>> const &before,
                                      std::vector<std::vector<double>> const &after,
                                      std::size_t peers, std::size_t width) {
  std::size_t const n = before.size(), fragments = before.front().size() / width;
  std::set<std::vector<std::size_t>> graphs;
  for (std::size_t p = 0; p < fragments; ++p) {
    std::size_t messages = 0;
    std::vector<std::size_t> heard;
    for (std::size_t i = 0; i < n; ++i) {
      auto const nodes = nodes_heard(before, after[i], i, width * p, width * (p + 1));
      REQUIRE(nodes.has_value());
      heard.push_back(*nodes);
      messages += static_cast<std::size_t>(std::popcount(*nodes)) - 1;
    }
    CHECK(messages == n * peers);
    graphs.insert(heard);
  }
  CHECK(graphs.size() == fragments);
}

}  // namespace gossip::test
