// The messages of a sum over all nodes, as collectives of MPI send them. R. Thakur, R.
// Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH" (2005),
// section 4. The chain: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
// operations" (2007), pipelines; there of a broadcast, here of a sum and its broadcast.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include <gossip/core/bits.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// The algorithm by which a sum of rows of M bytes reaches all n nodes.
enum class collective {
  ring,                  ///< 2 (n - 1) turns, in each of which every node sends M / n to the next
  tree,                  ///< up and down a binomial tree: 2 ceil(log2 n) turns of M
  halving_and_doubling,  ///< pairs send each other M/2, M/4 ..., and back: 2 log2 n turns
  chain  ///< in p parts from node to node to the first and back: 2 (n - 1) + p - 1 turns of M / p
};

template <>
struct value_names<collective> {
  static constexpr std::array<char const *, 4> names{"ring", "tree", "halving_and_doubling",
                                                     "chain"};
};

/// The bytes of part k of a row that is cut into `parts` nearly equal ones.
constexpr std::size_t bytes_of_part(std::size_t row_bytes, std::size_t parts, std::size_t k) {
  std::size_t const each = row_bytes / parts, longer = row_bytes % parts;
  return each + (k < longer);
}

/// The bytes that node i of a ring of n sends: in n - 1 turns that sum all parts of a row but part
/// i + 1, and in as many that hand on sums all but part i + 2.
constexpr std::size_t bytes_on_ring(std::size_t row_bytes, std::size_t n, std::size_t i) {
  return 2 * row_bytes - bytes_of_part(row_bytes, n, (i + 1) % n) -
         bytes_of_part(row_bytes, n, (i + 2) % n);
}

namespace detail {

template <class Hop>
void each_hop_of_tree(std::size_t n, std::size_t bytes, Hop hop) {
  std::size_t const top = bit_ceil(n);
  for (std::size_t step = 1; step < top; step *= 2)
    for (std::size_t i = step; i < n; i += 2 * step)
      hop(static_cast<node>(i), static_cast<node>(i - step), bytes, std::nullopt);
  for (std::size_t step = top / 2; step > 0; step /= 2)
    for (std::size_t i = step; i < n; i += 2 * step)
      hop(static_cast<node>(i - step), static_cast<node>(i), bytes, std::nullopt);
}

/// The bytes of both halves of the part of a row that node i of halving and doubling has before its
/// turn with the node at that distance, of which a node without that bit keeps the first.
constexpr std::array<std::size_t, 2> halves_before(std::size_t row_bytes, std::size_t i,
                                                   std::size_t distance) {
  std::size_t part = row_bytes;
  for (std::size_t step = 1; step < distance; step *= 2)
    part = (i & step) == 0 ? part / 2 : part - part / 2;
  return {part / 2, part - part / 2};
}

/// Of nodes beyond the largest power of two each lends its row to another, and gets the sum.
template <class Hop>
void each_hop_of_halving(std::size_t n, std::size_t bytes, Hop hop) {
  std::size_t const pairs = bit_floor(n);
  auto const with_all = [&](std::size_t step, bool sums) {
    for (std::size_t i = 0; i < pairs; ++i) {
      if ((i & step) != 0) continue;
      auto const [first, second] = halves_before(bytes, i, step);
      hop(static_cast<node>(i), static_cast<node>(i | step), sums ? second : first,
          std::optional(sums ? first : second));
    }
  };
  for (std::size_t i = pairs; i < n; ++i)
    hop(static_cast<node>(i), static_cast<node>(i - pairs), bytes, std::nullopt);
  for (std::size_t step = 1; step < pairs; step *= 2) with_all(step, true);
  for (std::size_t step = pairs / 2; step > 0; step /= 2) with_all(step, false);
  for (std::size_t i = pairs; i < n; ++i)
    hop(static_cast<node>(i - pairs), static_cast<node>(i), bytes, std::nullopt);
}

}  // namespace detail

/// Calls hop(from, to, bytes, bytes of the way back or nothing) for every message of a tree or of
/// halving and doubling among n nodes. A message begins when those before it of both of its ends
/// are over.
template <class Hop>
void each_hop(collective how, std::size_t n, std::size_t bytes, Hop hop) {
  if (n < 2) return;
  if (how == collective::tree)
    detail::each_hop_of_tree(n, bytes, hop);
  else
    detail::each_hop_of_halving(n, bytes, hop);
}

/// Calls link(from, to) for every link of a chain among n nodes, in the order in which a part of a
/// row takes them: the sum goes to node 0, and from there to all.
template <class Link>
void each_link_of_chain(std::size_t n, Link link) {
  for (std::size_t i = n; i > 1; --i) link(static_cast<node>(i - 1), static_cast<node>(i - 2));
  for (std::size_t i = 1; i < n; ++i) link(static_cast<node>(i - 1), static_cast<node>(i));
}

}  // namespace gossip
