// Test sets in device memory, each uploaded when it is first evaluated on and kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include <gossip/data/dataset.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/data/feature_rows.hpp>

namespace gossip {

namespace detail {

/// A few values by test set; that of the set that was asked for longest ago goes first.
template <class V>
class by_test_set {
 public:
  /// The value of a set; make(): where it is not there yet.
  template <class Make>
  V &of(dataset const &test, Make make) {
    auto const known =
        std::ranges::find_if(values_, [&](auto const &one) { return same(one.first, test); });
    if (known != values_.end()) {
      values_.splice(values_.begin(), values_, known);
    } else {
      if (values_.size() == most) values_.pop_back();
      values_.emplace_front(test, make());
    }
    return values_.front().second;
  }

 private:
  static constexpr std::size_t most = 4;

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

  std::list<std::pair<dataset, V>> values_;  // the last used first
};

}  // namespace detail

/// Samples of test sets in device memory, for several streams at a time; those of a set beyond the
/// last few are given back when no stream uses them any more.
template <class Backend>
class uploaded_sets {
 public:
  using samples = std::shared_ptr<device_samples<Backend> const>;

  /// The samples of a set on the device; backend: the stream that copies them where they are not
  /// there yet.
  samples of(dataset const &test, Backend const &backend) {
    std::lock_guard const lock(mutex_);
    return sets_.of(test, [&] {
      auto all = std::make_shared<device_samples<Backend> const>(test, backend);
      backend.wait();  // other streams do not
      return all;
    });
  }

 private:
  std::mutex mutex_;
  detail::by_test_set<samples> sets_;
};

/// The samples of test sets that one stream gathers.
template <bool SampleMajor, class Backend>
class device_test_sets {
 public:
  using samples = device_test_samples<SampleMajor, Backend>;

  explicit device_test_sets(
      std::shared_ptr<uploaded_sets<Backend>> uploaded = std::make_shared<uploaded_sets<Backend>>())
      : uploaded_(std::move(uploaded)) {}

  /// The chosen samples of a set, to be loaded from.
  samples &of(dataset const &test, std::span<std::uint32_t const> indices, Backend const &backend) {
    samples &all = sets_.of(test, [&] { return samples(uploaded_->of(test, backend)); });
    all.choose(indices, backend);
    return all;
  }

 private:
  std::shared_ptr<uploaded_sets<Backend>> uploaded_;
  detail::by_test_set<samples> sets_;
};

}  // namespace gossip
