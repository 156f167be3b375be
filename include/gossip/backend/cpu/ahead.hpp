// Memory that will be wanted soon, asked for a line at a time while products keep a core's
// registers busy.
#pragma once

#include <array>
#include <cstddef>

namespace gossip::host {

/// Bytes of memory that caches keep and prefetches bring at a time.
inline constexpr std::size_t cache_line = 64;

/// Regions of memory on their way to a core's second level of cache.
class memory_ahead {
 public:
  static constexpr std::size_t regions = 5;  // a node's optimizer rows and the next one's model
  static constexpr std::size_t budget = std::size_t{1} << 20;  // bytes in all, as caches are

  /// One more region, which will be asked for before those named so far; none beyond `regions`.
  void expect(void const *first, std::size_t bytes) {
    if (waiting_ == regions) return;
    begins_[waiting_] = at_;
    ends_[waiting_++] = end_;
    at_ = static_cast<char const *>(first);
    end_ = at_ + bytes;
  }

  /// Asks for the next line, if any is left.
  void ask() {
    if (at_ < end_) {
      __builtin_prefetch(at_, 0, 2);
      at_ += cache_line;
    } else if (waiting_ > 0) {
      at_ = begins_[--waiting_];
      end_ = ends_[waiting_];
    }
  }

 private:
  char const *at_ = nullptr, *end_ = nullptr;
  std::size_t waiting_ = 0;
  std::array<char const *, regions> begins_{}, ends_{};
};

}  // namespace gossip::host
