// Conformance of split policies: a test of a new one is one call of check_split.
#pragma once

#include <gossip/data/split.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"

namespace gossip::test {

/// Labels 0, 1, ..., classes - 1 over and over.
inline std::vector<std::uint16_t> cyclic_labels(std::size_t samples, std::size_t classes) {
  std::vector<std::uint16_t> labels(samples);
  for (std::size_t i = 0; i < samples; ++i) labels[i] = static_cast<std::uint16_t>(i % classes);
  return labels;
}

/// Number of samples of each class that node i has, (classes).
inline std::vector<std::size_t> label_histogram(partition const &shares, node i,
                                                std::vector<std::uint16_t> const &labels,
                                                std::size_t classes) {
  std::vector<std::size_t> count(classes, 0);
  for (std::uint32_t const sample : shares[i]) ++count[labels[sample]];
  return count;
}

inline void check_disjoint_cover(partition const &shares, std::size_t samples) {
  REQUIRE(shares.samples().size() == samples);
  std::vector<bool> seen(samples, false);
  for (node i = 0; i < shares.nodes(); ++i)
    for (std::uint32_t const sample : shares[i]) {
      REQUIRE(sample < samples);
      REQUIRE(!seen[sample]);
      seen[sample] = true;
    }
}

/// A disjoint cover with no empty node, the same for the same seed and another for another one.
template <class Policy>
void check_split(Policy const &policy) {
  constexpr std::size_t classes = 5;
  for (std::size_t const nodes : {1, 2, 3, 17})
    for (std::size_t const samples : {std::size_t{340}, std::size_t{997}}) {
      auto const labels = cyclic_labels(samples, classes);
      partition const shares = policy.assign(labels, classes, nodes, 7);
      REQUIRE(shares.nodes() == nodes);
      check_disjoint_cover(shares, samples);
      for (node i = 0; i < nodes; ++i) CHECK(shares.size(i) >= 1);
      CHECK(shares == policy.assign(labels, classes, nodes, 7));
      if (nodes > 1) CHECK_FALSE(shares == policy.assign(labels, classes, nodes, 8));
    }
  auto const few = cyclic_labels(2, classes);
  CHECK_THROWS_AS(policy.assign(few, classes, 3, 1), input_error);
  CHECK_THROWS_AS(policy.assign(few, classes, 0, 1), input_error);
}

}  // namespace gossip::test
