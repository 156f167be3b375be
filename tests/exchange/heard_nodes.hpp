// The nodes whose models were averaged, found from the averages alone.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

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

}  // namespace gossip::test
