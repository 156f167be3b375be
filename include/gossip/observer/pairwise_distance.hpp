// Distances of pairs of nodes' models.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

namespace detail {

/// The parameters (d) of one node, on all ranks.
template <class Rows>
std::vector<double> row_of(Rows const &rows, node one) {
  std::vector<double> row(rows.size().parameters, 0.0);
  auto const held = held_nodes(rows);
  each_window(rows, 0, row.size(), [&](auto const &part) {
    for (std::size_t k = 0; k < part.values.rows; ++k)
      if (held[part.begin + k] == one)
        for (std::size_t c = part.first; c < part.last; ++c)
          row[c] = static_cast<double>(part.values[k][c - part.first]);
  });
  all_reduce_sum(rows, row);  // zeros of those that do not hold it
  return row;
}

}  // namespace detail

/// |x_i - x_j| over the parameters, for each of some nodes i and every other node j: adds
/// pairwise_distance, their mean, and pairwise_distance_min, _median (the lower of two) and _max to
/// a record. Over all pairs the mean of the squares is 2n / (n - 1) times the consensus distance.
/// Takes O(nodes n d) time and O(d + nodes n) memory.
struct pairwise_distance {
  std::size_t nodes = 8;  ///< how many nodes i, a sample keyed by the seed; 0: all

  static constexpr char const *name = "pairwise_distance";
  static constexpr char const *meaning = "distances of pairs of models";
  static constexpr auto members() {
    return member_list{
        described("nodes", &pairwise_distance::nodes,
                  "number of nodes whose distances to all other nodes are measured; 0: all nodes")};
  }

  template <class Context>
  void measure(Context &context, record &r) const {
    std::vector<double> all;
    std::size_t const n = context.size().nodes;
    bool const apart = !context.size().shared && n > 1;
    if (apart)
      for (auto const i : detail::keyed_sample(context.seed(), 0, n, nodes)) {
        auto const from = detail::row_of(context.rows(), static_cast<node>(i));
        auto const squares = squared_distances(context.rows(), context.loops(), from.data(), 0,
                                               context.size().parameters);
        for (std::size_t j = 0; j < n; ++j)
          if (j != i) all.push_back(std::sqrt(squares[j]));
      }
    else
      all.push_back(0);
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (double const distance : all) sum += distance;
    r.set("pairwise_distance", sum / static_cast<double>(all.size()));
    r.set("pairwise_distance_min", all.front());
    r.set("pairwise_distance_median", all[(all.size() - 1) / 2]);
    r.set("pairwise_distance_max", all.back());
  }
};

}  // namespace gossip
