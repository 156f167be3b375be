// A window's operations in device memory, uploaded once for all its levels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gossip/core/room.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Kernel: the optimizer's arithmetic, which says what the columns of a step share.
template <class Backend, class Kernel>
class device_window {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using scale_type = typename Kernel::scale_type;

 public:
  /// Operations of a level, or some of them, and their scales.
  struct part {
    operation const *operations;  // (count)
    scale_type const *scales;     // (count)
    std::size_t count;
  };

  void take(Backend const &backend, plan_window const &window, Kernel const &kernel) {
    sorted_ = window.by_level();
    if (operations_.size() < sorted_.size()) {
      operations_ = buffer<operation>(2 * sorted_.size());
      scales_ = buffer<scale_type>(2 * sorted_.size());
    }
    make_room(host_scales_, sorted_.size());
    host_scales_.clear();
    for (operation const &o : sorted_)
      host_scales_.push_back(
          kernel.scale(o.coefficient, o.kind == operation_kind::train ? o.after : o.count));
    backend.upload(operations_.data(), sorted_.data(), sorted_.size());
    backend.upload(scales_.data(), host_scales_.data(), sorted_.size());
  }

  /// Of operations of the window taken last.
  part operator()(std::span<operation const> level) const {
    auto const first = static_cast<std::size_t>(level.data() - sorted_.data());
    return {operations_.data() + first, scales_.data() + first, level.size()};
  }

 private:
  std::span<operation const> sorted_;
  buffer<operation> operations_;
  buffer<scale_type> scales_;
  std::vector<scale_type> host_scales_;
};

}  // namespace gossip
