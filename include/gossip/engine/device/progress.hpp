// Progress of a device through the work it was given, asked for without waiting.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace gossip {

template <class Backend>
class device_progress {
 public:
  /// Stands for everything given to the device so far; counts from 1.
  std::uint64_t mark(Backend const &backend) {
    if (spare_.empty()) spare_.emplace_back();
    backend.record(spare_.back());
    under_way_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    return ++marked_;
  }

  /// The last mark that the device has come to.
  std::uint64_t reached() {
    while (!under_way_.empty() && under_way_.front().passed()) {
      spare_.push_back(std::move(under_way_.front()));
      under_way_.pop_front();
    }
    return marked_ - under_way_.size();
  }

 private:
  using event = typename Backend::event;
  std::vector<event> spare_;
  std::deque<event> under_way_;
  std::uint64_t marked_ = 0;
};

}  // namespace gossip
