// Classes shared out unevenly by Dirichlet proportions: the usual model of heterogeneous data.
// M. Yurochkin et al., "Bayesian nonparametric federated learning of neural networks", ICML 2019;
// with the balancing rule of FedLab's hetero-dir: a node with its fair share gets no more.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include <gossip/core/described.hpp>
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
      std::vector<node> owner = draw(by_class, nodes, seed, 0);
      fill_up(owner, labels, classes, nodes,
              std::max<std::size_t>(1, std::min(classes, labels.size() / (2 * nodes))));
      return group_by<node>(owner, nodes);
    }
    for (std::size_t attempt = 0; attempt < tries; ++attempt) {
      partition shares = group_by<node>(draw(by_class, nodes, seed, attempt), nodes);
      if (smallest(shares) >= minimum) return shares;
    }
    throw input_error("dirichlet: minimum",
                      "a number that " + std::to_string(tries) +
                          " draws can give every node (0: "
                          "the smallest are filled up), or a larger alpha",
                      std::to_string(minimum));
  }

  static constexpr char const *name = "dirichlet";
  static constexpr char const *meaning = "classes in Dirichlet proportions";
  static constexpr auto members() {
    return std::tuple{described("alpha", &dirichlet::alpha, "small: few classes a node",
                                {.least = 1e-6, .most = 1e6}),
                      described("minimum", &dirichlet::minimum,
                                "samples of a node; 0: the smallest are filled up")};
  }

 private:
  using size_list = std::vector<std::size_t>;

  void check(std::size_t samples, std::size_t nodes) const {
    detail::check_enough_samples("dirichlet", samples, nodes);
    if (!(alpha >= 1e-6 && alpha <= 1e6))
      throw input_error("dirichlet: alpha", "a number from 1e-6 to 1e6", std::to_string(alpha));
    if (minimum > samples / nodes)
      throw input_error("dirichlet: minimum",
                        "at most " + std::to_string(samples / nodes) + " (" +
                            std::to_string(samples) + " samples, " + std::to_string(nodes) +
                            " nodes)",
                        std::to_string(minimum));
  }

  static std::size_t smallest(partition const &shares) {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (node i = 0; i < shares.nodes(); ++i) least = std::min(least, shares.size(i));
    return least;
  }

  /// The owner of every sample, (samples).
  std::vector<node> draw(partition const &by_class, std::size_t nodes, std::uint64_t seed,
                         std::size_t attempt) const {
    std::vector<node> owner(by_class.samples().size());
    size_list sizes(nodes, 0);
    std::vector<double> weights(nodes);
    std::vector<std::uint32_t> members;
    for (node c = 0; c < by_class.nodes(); ++c) {
      members.assign(by_class[c].begin(), by_class[c].end());
      keyed_random random(seed, purpose::partition, c, attempt);
      detail::shuffle(members, random);
      draw_weights(weights, random);
      for (std::size_t j = 0; j < nodes; ++j)
        if (sizes[j] * nodes >= owner.size()) weights[j] = -std::numeric_limits<double>::infinity();
      deal(members, weights, owner, sizes);
    }
    return owner;
  }

  /// Logarithms of independent Gamma(alpha) numbers, which are Dirichlet(alpha) once normalised:
  /// Gamma(alpha) = Gamma(alpha + 1) U^(1 / alpha), without underflow for small alpha.
  void draw_weights(std::span<double> weights, keyed_random &random) const {
    for (double &weight : weights) {
      double const boost = elementary::log(1.0 - random.uniform()) / alpha;
      weight = elementary::log(random.gamma(alpha + 1.0)) + boost;
    }
  }

  /// Cuts members at floor(cumulative weight * members), overwriting the logarithms in weights.
  static void deal(std::span<std::uint32_t const> members, std::span<double> weights,
                   std::span<node> owner, std::span<std::size_t> sizes) {
    if (members.empty()) return;
    double const greatest = *std::max_element(weights.begin(), weights.end());
    double total = 0.0;
    for (double &weight : weights) {
      double const relative = weight - greatest;
      total += relative > -700.0 ? elementary::exp(relative) : 0.0;
      weight = total;
    }
    auto const count = static_cast<double>(members.size());
    std::size_t begin = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      auto const end = static_cast<std::size_t>(weights[j] / total * count);
      for (std::size_t k = begin; k < end; ++k) owner[members[k]] = static_cast<node>(j);
      sizes[j] += end - begin;
      begin = end;
    }
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
