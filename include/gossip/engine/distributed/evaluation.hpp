// Losses and scores of all nodes, each found by the rank that holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/engine/loss_record.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/model/evaluation.hpp>

namespace gossip {

/// The losses of all nodes; every addend is one rank's alone, so sums are those of one process.
template <class Ranks>
struct rank_losses {
  loss_record &own;
  Ranks const &ranks;

  double take_mean() {
    ranks.all_reduce_sum(own.sums());
    ranks.all_reduce_sum(own.counts());
    return own.take_mean();
  }
};

/// Scores of some nodes and, where given, of one more model, which the last rank scores.
/// evaluate(nodes of this rank, the extra model or null) finds those of one rank.
template <class Ranks, class T, class Evaluate>
std::vector<evaluation> evaluate_on_ranks(rank_layout const &layout, Ranks const &ranks,
                                          std::span<std::uint32_t const> nodes, T const *extra,
                                          Evaluate evaluate) {
  std::vector<std::uint32_t> own;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (layout.owns(nodes[k])) {
      own.push_back(nodes[k]);
      places.push_back(k);
    }
  bool const last = layout.rank() + 1 == layout.ranks();
  if (extra && last) places.push_back(nodes.size());
  auto const scores = evaluate(own, last ? extra : nullptr);
  std::size_t const all = nodes.size() + (extra ? 1 : 0);
  std::vector<double> numbers(2 * all, 0.0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    numbers[2 * places[k]] = scores[k].correct;
    numbers[2 * places[k] + 1] = scores[k].loss;
  }
  ranks.all_reduce_sum(std::span<double>(numbers));
  std::vector<evaluation> results(all);
  for (std::size_t k = 0; k < all; ++k) results[k] = {numbers[2 * k], numbers[2 * k + 1]};
  return results;
}

}  // namespace gossip
