// The contract of a split: how the samples of a data set are shared out among the nodes.
//
// A split policy is a copyable aggregate of hyper-parameters with one member function,
//
//   partition assign(std::span<std::uint16_t const> labels,  // (samples), each below classes
//                    std::size_t classes, std::size_t nodes, std::uint64_t seed) const;
//
// or, where it looks at more than labels, such as the users that samples are from,
//
//   partition assign(dataset const &set, std::size_t nodes, std::uint64_t seed) const;
//
// It draws from keyed_random(seed, purpose::partition, ...) only, so that every rank computes the
// same partition; gives every node at least one sample; and throws input_error, in a sentence, what
// it cannot do. Lists need not be disjoint nor cover the set, and their order within a node has no
// meaning (batches are shuffled). A complete model:
//
//   struct by_turns {  // sample i goes to node i mod nodes
//     partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
//                      std::uint64_t) const {
//       std::vector<node> owner(labels.size());
//       for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = static_cast<node>(i % nodes);
//       return group_by<node>(owner, nodes);
//     }
//   };
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>

namespace gossip {

template <class Policy>
concept splits_labels = requires(Policy const policy, std::span<std::uint16_t const> labels,
                                 std::size_t count, std::uint64_t seed) {
  { policy.assign(labels, count, count, seed) } -> std::same_as<partition>;
};

template <class Policy>
concept splits_dataset =
    requires(Policy const policy, dataset const &set, std::size_t count, std::uint64_t seed) {
      { policy.assign(set, count, seed) } -> std::same_as<partition>;
    };

template <class Policy>
concept split_policy = splits_labels<Policy> || splits_dataset<Policy>;

/// The lists of a policy of either kind.
template <split_policy Policy>
partition assigned(Policy const &policy, dataset const &set, std::size_t nodes,
                   std::uint64_t seed) {
  if constexpr (splits_dataset<Policy>)
    return policy.assign(set, nodes, seed);
  else
    return policy.assign(set.labels(), set.classes(), nodes, seed);
}

/// A data set and how it is shared out: split(train, dirichlet{.alpha = 0.5}). It refers to the
/// set, which must outlive it.
template <class Policy>
struct split {
  static_assert(split_policy<Policy>,
                "gossip::split: the policy must have partition assign(span<uint16_t const> labels, "
                "size_t classes, size_t nodes, uint64_t seed) const. See docs/policies/split.md");

  split(dataset const &set, Policy how) : data(&set), policy(std::move(how)) {}
  split(dataset const &&, Policy) = delete;  // a temporary set would be gone before the run

  /// The policy's partition over nodes, checked; throws input_error.
  partition assign(std::size_t nodes, std::uint64_t seed) const {
    partition const shares = assigned(policy, *data, nodes, seed);
    if (shares.nodes() != nodes)
      throw input_error("split", "lists for " + std::to_string(nodes) + " nodes",
                        std::to_string(shares.nodes()));
    for (std::size_t i = 0; i < nodes; ++i)
      if (shares.size(static_cast<node>(i)) == 0)
        throw input_error("split: node " + std::to_string(i), "at least one sample", "none");
    for (std::uint32_t const sample : shares.samples())
      if (sample >= data->size())
        throw input_error("split", "samples below " + std::to_string(data->size()),
                          std::to_string(sample));
    return shares;
  }

  dataset const *data;
  Policy policy;
};

namespace detail {

inline void check_enough_samples(std::string const &policy, std::size_t samples,
                                 std::size_t nodes) {
  if (nodes == 0) throw input_error(policy, "at least one node", "0");
  checked_index(samples, policy.c_str());
  if (samples < nodes)
    throw input_error(policy, "at least one sample for each of " + std::to_string(nodes) + " nodes",
                      std::to_string(samples) + " samples");
}

/// A uniformly random order, in place (Fisher and Yates).
inline void shuffle(std::span<std::uint32_t> items, keyed_random &random) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace detail
}  // namespace gossip
