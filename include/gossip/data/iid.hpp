// Every node gets a random part of the set, all parts of one size: the homogeneous case.
#pragma once

#include <numeric>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// One random permutation, cut in equal parts (sizes differ by at most one).
struct iid {
  partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                   std::uint64_t seed) const {
    detail::check_enough_samples("iid", labels.size(), nodes);
    std::vector<std::uint32_t> samples(labels.size());
    std::iota(samples.begin(), samples.end(), 0U);
    keyed_random random(seed, purpose::partition, 0, 0);
    detail::shuffle(samples, random);
    return cut_evenly(std::move(samples), nodes);
  }

  static constexpr char const *name = "iid";
  static constexpr char const *meaning = "random parts of equal size, independent of the classes";
  static constexpr member_list<> members() { return {}; }
};

static_assert(split_policy<iid>);

}  // namespace gossip
