// Test sets in device memory, each uploaded when it is first evaluated on and kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <utility>

#include <gossip/data/dataset.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/data/feature_rows.hpp>

namespace gossip {

/// The memory of a set beyond the last few is given back.
template <bool SampleMajor, class Backend>
class device_test_sets {
 public:
  using samples = device_test_samples<SampleMajor, Backend>;
  static constexpr std::size_t most = 4;

  /// The chosen samples of a set, to be loaded from.
  samples &of(dataset const &test, std::span<std::uint32_t const> indices, Backend const &backend) {
    auto const known =
        std::ranges::find_if(sets_, [&](auto const &one) { return same(one.first, test); });
    if (known == sets_.end()) {
      if (sets_.size() == most) sets_.pop_back();
      sets_.emplace_front(test, samples(test, backend));
    } else {
      sets_.splice(sets_.begin(), sets_, known);
    }
    sets_.front().second.choose(indices, backend);
    return sets_.front().second;
  }

 private:
  /// Copies share the memory of their features, and one is kept here: the same address means the
  /// same features, which an address of a set alone would not.
  static bool same(dataset const &a, dataset const &b) {
    auto const rows = [](auto const &x, auto const &y) {
      return x.begin == y.begin && x.rows.data == y.rows.data && x.rows.rows == y.rows.rows &&
             x.rows.stride == y.rows.stride;
    };
    return a.shape() == b.shape() && std::ranges::equal(a.labels(), b.labels()) &&
           std::ranges::equal(a.scales(), b.scales()) &&
           std::ranges::equal(a.bytes().blocks(), b.bytes().blocks(), rows) &&
           std::ranges::equal(a.values().blocks(), b.values().blocks(), rows);
  }

  std::list<std::pair<dataset, samples>> sets_;  // the last used first
};

}  // namespace gossip
