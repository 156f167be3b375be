// Classes shared out unevenly by Dirichlet proportions: the usual model of heterogeneous data.
// M. Yurochkin et al., "Bayesian nonparametric federated learning of neural networks", ICML 2019;
// with the balancing rule of FedLab's hetero-dir: a node with its fair share gets no more.
#pragma once

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include <gossip/core/described.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Class by class, node j gets a proportion p_j of it, p ~ Dirichlet(alpha) over the nodes that do
/// not yet have samples / nodes. Small alpha: few classes a node; large alpha: all alike. Memory
/// O(samples + nodes), time O(classes * nodes + samples).
struct dirichlet {
  double alpha = 0.5;

  /// The fewest samples a node may have. Given: the draw is repeated, 100 times at most, until all
  /// nodes have them, as in FedLab. 0: one draw, then nodes with fewer than min(classes, half their
  /// fair share, but at least 1) are filled up from the largest. A deviation: with many nodes or a
  /// small alpha no number of draws would leave no node empty.
  std::size_t minimum = 0;

  static constexpr std::size_t tries = 100;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const {
    check(labels.size(), nodes);
    partition const by_class = group_by(labels, classes);
    if (minimum == 0) {
      std::vector<node> owner = detail::deal_by_class(by_class, nodes, alpha, seed, 0);
      fill_up(owner, labels, classes, nodes,
              std::max<std::size_t>(1, std::min(classes, labels.size() / (2 * nodes))));
      return group_by<node>(owner, nodes);
    }
    for (std::size_t attempt = 0; attempt < tries; ++attempt) {
      partition shares =
          group_by<node>(detail::deal_by_class(by_class, nodes, alpha, seed, attempt), nodes);
      if (detail::smallest_share(shares) >= minimum) return shares;
    }
    throw input_error(
        "dirichlet: minimum",
        "a number of samples that " + std::to_string(tries) +
            " draws can give every node (0: the smallest nodes are filled up), or a larger alpha",
        std::to_string(minimum));
  }

  static constexpr char const *name = "dirichlet";
  static constexpr char const *meaning =
      "each class is divided among the nodes in Dirichlet proportions";
  static constexpr auto members() {
    return member_list{
        described("alpha", &dirichlet::alpha,
                  "concentration of the Dirichlet distribution; small: few classes per node",
                  {.least = 1e-6, .most = 1e6}),
        described("minimum", &dirichlet::minimum,
                  "minimum number of samples of a node; 0: the smallest nodes are filled up")};
  }

 private:
  void check(std::size_t samples, std::size_t nodes) const {
    detail::check_enough_samples("dirichlet", samples, nodes);
    detail::check_alpha("dirichlet", alpha);
    if (minimum > samples / nodes)
      throw input_error("dirichlet: minimum",
                        "at most " + std::to_string(samples / nodes) + " (" +
                            std::to_string(samples) + " samples, " + std::to_string(nodes) +
                            " nodes)",
                        std::to_string(minimum));
  }

  /// Gives every node least samples; what one lacks comes from the largest other node, from the
  /// classes it has most of, so that few classes stay few. Possible for least <= samples / (2
  /// nodes) and for least = 1: then the largest has at least twice as many, or two.
  static void fill_up(std::span<node> owner, std::span<std::uint16_t const> labels,
                      std::size_t classes, std::size_t nodes, std::size_t least) {
    partition const shares = group_by<node>(owner, nodes);
    std::vector<std::vector<std::uint32_t>> left(nodes);  // of nodes that gave, the last goes first
    using entry = std::pair<std::size_t, node>;           // size, node
    std::vector<entry> sizes;
    for (node j = 0; j < nodes; ++j) sizes.emplace_back(shares.size(j), j);
    std::priority_queue<entry> largest(std::less<entry>(), sizes);
    for (node j = 0; j < nodes; ++j) {
      if (shares.size(j) >= least) continue;
      std::size_t const missing = least - shares.size(j);
      auto const [size, giver] = largest.top();
      largest.pop();
      if (left[giver].empty()) left[giver] = rarest_first(shares[giver], labels, classes);
      for (std::size_t k = 0; k < missing; ++k) {
        owner[left[giver].back()] = j;
        left[giver].pop_back();
      }
      largest.emplace(size - missing, giver);
    }
  }

  /// Samples ordered so that those of the most numerous class come last.
  static std::vector<std::uint32_t> rarest_first(std::span<std::uint32_t const> samples,
                                                 std::span<std::uint16_t const> labels,
                                                 std::size_t classes) {
    std::vector<std::uint32_t> order(samples.begin(), samples.end());
    std::vector<std::uint32_t> count(classes, 0);
    for (std::uint32_t const s : order) ++count[labels[s]];
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(count[labels[a]], labels[a], a) <
             std::tuple(count[labels[b]], labels[b], b);
    });
    return order;
  }
};

static_assert(split_policy<dirichlet>);

}  // namespace gossip
