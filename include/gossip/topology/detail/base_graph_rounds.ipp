// Definitions of topology/detail/base_graph_rounds.hpp.
#pragma once

#include <gossip/topology/detail/base_graph_rounds.hpp>

#include <algorithm>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

/// Factors of n, each at most `most`, ascending; empty for 1 and for an n that has no such factors.
GOSSIP_INLINE std::vector<std::size_t> small_factors(std::size_t n, std::size_t most) {
  std::vector<std::size_t> factors;
  for (std::size_t f = most; f > 1; --f)
    for (; n % f == 0; n /= f) factors.insert(factors.begin(), f);
  return n == 1 ? factors : std::vector<std::size_t>{};
}

/// All of these nodes average among themselves.
GOSSIP_INLINE void add_clique(weighted_round &round, std::vector<node> const &nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = i + 1; j < nodes.size(); ++j)
      round.push_back({nodes[i], nodes[j], 1.0 / static_cast<double>(nodes.size())});
}

/// Rounds after which nodes that have only small factors have their mean (Algorithm 1, the k-peer
/// hyper-hypercube). The factors tell how many average in each.
class hyper_hypercube {
 public:
  hyper_hypercube(std::vector<node> nodes, std::size_t peers)
      : nodes_(std::move(nodes)), factors_(small_factors(nodes_.size(), peers + 1)) {}

  std::size_t length() const { return factors_.size(); }

  /// Adds round t modulo the length; nothing where there is none.
  void add(weighted_round &round, std::size_t t) const {
    if (factors_.empty()) return;
    std::size_t stride = 1;
    for (std::size_t s = 0; s < t % length(); ++s) stride *= factors_[s];
    std::size_t const members = factors_[t % length()];
    for (std::size_t first = 0; first < nodes_.size(); ++first) {
      if (first / stride % members != 0) continue;
      std::vector<node> group;
      for (std::size_t g = 0; g < members; ++g) group.push_back(nodes_[first + g * stride]);
      add_clique(round, group);
    }
  }

 private:
  std::vector<node> nodes_;
  std::vector<std::size_t> factors_;  // ascending
};

/// Nodes first to first + count - 1.
GOSSIP_INLINE std::vector<node> nodes_from(std::size_t first, std::size_t count) {
  std::vector<node> nodes(count);
  for (std::size_t i = 0; i < count; ++i) nodes[i] = static_cast<node>(first + i);
  return nodes;
}

/// A block of the simple Base-(k+1) graph: `parts` powers of k + 1 of the size of one part.
struct base_block {
  std::size_t first, parts, part_size;
  std::size_t size() const { return parts * part_size; }
};

/// n in base k + 1: a block for every digit that is not 0, the largest first.
GOSSIP_INLINE std::vector<base_block> base_blocks(std::size_t n, std::size_t peers) {
  std::vector<base_block> blocks;
  std::size_t power = 1;
  while (power <= n / (peers + 1)) power *= peers + 1;
  for (std::size_t first = 0; first < n; power /= peers + 1) {
    std::size_t const digit = (n - first) / power;
    if (digit > 0) blocks.push_back({first, digit, power});
    first += digit * power;
  }
  return blocks;
}

/// A round in which block q takes in those behind it: each of their nodes hears from one node of
/// every part of q, and the rest of q averages in small groups.
GOSSIP_INLINE void add_merge(weighted_round &round, std::vector<base_block> const &blocks,
                             std::size_t q, std::size_t peers) {
  base_block const &block = blocks[q];
  std::size_t const behind = block.first + block.size();
  std::size_t const later = blocks.back().first + blocks.back().size() - behind;
  double const weight = static_cast<double>(block.size()) /
                        static_cast<double>(block.size() + later) /
                        static_cast<double>(block.parts);
  for (std::size_t i = 0; i < later; ++i)
    for (std::size_t part = 0; part < block.parts; ++part)
      round.push_back({static_cast<node>(block.first + part * block.part_size + i),
                       static_cast<node>(behind + i), weight});
  std::vector<node> rest;
  for (std::size_t part = 0; part < block.parts; ++part)
    for (std::size_t i = later; i < block.part_size; ++i)
      rest.push_back(static_cast<node>(block.first + part * block.part_size + i));
  for (std::size_t i = 0; i < rest.size(); i += peers + 1) {
    auto const begin = rest.begin() + static_cast<std::ptrdiff_t>(i);
    auto const end =
        rest.begin() + static_cast<std::ptrdiff_t>(std::min(i + peers + 1, rest.size()));
    add_clique(round, {begin, end});
  }
}

/// Algorithm 2, the simple Base-(k+1) graph: blocks have their means, then each takes in those
/// behind it, and its parts spread what came.
GOSSIP_INLINE std::vector<weighted_round> simple_base_rounds(std::size_t n, std::size_t peers) {
  std::vector<base_block> const blocks = base_blocks(n, peers);
  std::vector<hyper_hypercube> whole, parts;  // of blocks; of their parts, one block after another
  std::vector<std::size_t> block_of;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    whole.emplace_back(nodes_from(blocks[b].first, blocks[b].size()), peers);
    for (std::size_t part = 0; part < blocks[b].parts; ++part) {
      parts.emplace_back(
          nodes_from(blocks[b].first + part * blocks[b].part_size, blocks[b].part_size), peers);
      block_of.push_back(b);
    }
  }
  std::size_t const begin = whole.front().length();
  std::size_t const length = blocks.size() == 1 ? begin : begin + 1 + parts.front().length();
  std::vector<weighted_round> rounds(length);
  for (std::size_t t = 0; t < length; ++t) {
    if (t < begin) {
      for (hyper_hypercube const &block : whole) block.add(rounds[t], t);
      continue;
    }
    std::size_t const q = t - begin;
    bool const merges = q + 1 < blocks.size();
    if (merges) add_merge(rounds[t], blocks, q, peers);
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (block_of[p] < std::min(q, blocks.size() - 1))
        parts[p].add(rounds[t], q - block_of[p] - 1);
    if (!merges) whole.back().add(rounds[t], t);
  }
  return rounds;
}

GOSSIP_INLINE std::vector<weighted_round> base_graph_rounds(std::size_t n, std::size_t peers) {
  std::size_t smooth = 1, rest = n;
  for (std::size_t f = peers + 1; f > 1; --f)
    for (; rest % f == 0; rest /= f) smooth *= f;
  std::vector<weighted_round> simple = simple_base_rounds(n, peers);
  std::vector<weighted_round> const of_rest = simple_base_rounds(rest, peers);
  std::size_t const across = small_factors(smooth, peers + 1).size();
  if (of_rest.size() + across > simple.size()) return simple;
  std::vector<weighted_round> rounds(of_rest.size() + across);
  for (std::size_t t = 0; t < of_rest.size(); ++t)
    for (std::size_t copy = 0; copy < smooth; ++copy)
      for (weighted_edge const &e : of_rest[t])
        rounds[t].push_back({static_cast<node>(e.from + copy * rest),
                             static_cast<node>(e.to + copy * rest), e.weight});
  for (std::size_t i = 0; i < rest; ++i) {
    std::vector<node> same_place;
    for (std::size_t copy = 0; copy < smooth; ++copy)
      same_place.push_back(static_cast<node>(i + copy * rest));
    hyper_hypercube const cube(same_place, peers);
    for (std::size_t t = 0; t < across; ++t) cube.add(rounds[of_rest.size() + t], t);
  }
  return rounds;
}

}  // namespace gossip::detail
