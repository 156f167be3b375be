// A scaled loss on a device: which gradients are absorbed and which steps are taken depends on
// values, which the host looks at after every cohort.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/loss_scales.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/window.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// The operations that are executed: without a scaled loss the operations of the window as they
/// are. Rows of another type than T have no scaled loss (simulator/requirements.hpp).
template <class T, class Row, class Backend>
class device_loss_scaling {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using window_type = device_window<T, Row, Backend>;
  using functions_type = device_functions<T, Row, Backend>;

 public:
  /// how: none where no loss is scaled.
  device_loss_scaling(std::optional<scaled_loss> const &how, fleet_size const &size)
      : scaling_(how, size) {}

  /// State of the nodes.
  loss_scaling<T> &state() { return scaling_; }
  loss_scaling<T> const &state() const { return scaling_; }

  /// A cohort with its scales, whose losses have theirs from now on.
  device_op::level_part trained_at(Backend const &backend, window_type const &window,
                                   std::span<operation const> cohort,
                                   functions_type const &functions,
                                   device_loss_scales<T, Backend> &losses) {
    if (!scaling_.scales()) return window(cohort);
    losses.take(backend, cohort.size(),
                [&](std::size_t j) { return *scaling_.scale(cohort[j].a); });
    changed_.assign(cohort.begin(), cohort.end());
    return upload_changed(backend, functions);
  }

  /// After the gradients of a cohort: which of them overflowed. Waits for them.
  void look_at(Backend const &backend, std::span<operation const> cohort,
               device_loss_scales<T, Backend> &losses) {
    losses.look(backend, cohort.size());
    for (std::size_t j = 0; j < cohort.size(); ++j)
      scaling_.trained(cohort[j], !losses.overflowed(j));
  }

  /// Row operations without the steps that are left out; the sums (d) of a round that is are
  /// forgotten.
  device_op::level_part taken(Backend const &backend, window_type const &window,
                              std::span<operation const> operations,
                              functions_type const &functions, reproducible_sum sums,
                              std::size_t d) {
    if (!scaling_.scales()) return window(operations);
    changed_.clear();
    for (operation const &o : operations) {
      if (!o.steps() || scaling_.steps(o))
        changed_.push_back(o);
      else if (o.kind() == operation_kind::reduce)
        backend.launch(d, device_op::clear_sums{sums});
    }
    return upload_changed(backend, functions);
  }

 private:
  /// The operations with their scales, as many steps before as each node has really taken.
  device_op::level_part upload_changed(Backend const &backend, functions_type const &functions) {
    scales_.take(functions, changed_,
                 [&](operation const &o) { return o.steps() ? scaling_.number(o) : 0; });
    std::size_t const count = changed_.size();
    if (device_.size() < count) {
      backend.wait();  // kernels at work may read the old ones
      device_ = buffer<operation>(2 * count);
    }
    backend.upload(device_.data(), changed_.data(), count);
    scales_.upload(backend);
    return {device_.data(), scales_.from(0), nullptr, count};
  }

  loss_scaling<T> scaling_;
  std::vector<operation> changed_;
  buffer<operation> device_;
  device_scales<T, Row, Backend> scales_;
};

}  // namespace gossip
