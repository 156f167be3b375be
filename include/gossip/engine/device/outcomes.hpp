// Results of trainings and evaluations, kept on a device until many are asked for at once: the host
// waits once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/engine/loss_record.hpp>
#include <gossip/engine/training_place.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// The loss of a training and whether its gradient failed, or a score: loss and samples right.
struct outcome {
  double loss;
  std::uint32_t count;
};

namespace device_op {

/// to (k) = losses and counts
struct keep_outcomes {
  double const *losses;
  std::uint32_t const *counts;
  outcome *to;

  constexpr void operator()(std::size_t j) const { to[j] = {losses[j], counts[j]}; }
};

}  // namespace device_op

template <class Backend>
class device_outcomes {
 public:
  /// Room for so many from now on; there must be none.
  void expect(std::size_t count) {
    if (device_.size() < count) device_ = typename Backend::template buffer<outcome>(2 * count);
  }

  /// k more.
  void keep(Backend const &backend, std::size_t k, double const *losses,
            std::uint32_t const *counts) {
    backend.launch(k, device_op::keep_outcomes{losses, counts, device_.data() + kept_});
    kept_ += k;
  }

  /// All that were kept since the last call, in order. Waits for them.
  std::span<outcome const> take(Backend const &backend) {
    host_.resize(kept_);
    if (kept_ > 0) backend.download(host_.data(), device_.data(), kept_);
    kept_ = 0;
    return host_;
  }

 private:
  typename Backend::template buffer<outcome> device_;
  std::vector<outcome> host_;
  std::size_t kept_ = 0;
};

/// The trainings a device is at work on or done with, until the host looks at their losses.
template <class Backend>
class device_trainings {
 public:
  explicit device_trainings(fleet_size const &size) : losses_(size) {}

  loss_record &losses() { return losses_; }

  /// Room for so many from now on; there must be none.
  void expect(std::size_t count) { outcomes_.expect(count); }

  /// A cohort, with its losses (k) and whether its gradients failed (k).
  void keep(Backend const &backend, std::span<operation const> cohort, double const *losses,
            std::uint32_t const *failed) {
    for (operation const &o : cohort) trained_.push_back(o);
    outcomes_.keep(backend, cohort.size(), losses, failed);
  }

  /// Waits for all of them. Throws gossip::error at the first that has no finite loss.
  void settle(Backend const &backend) {
    auto const outcomes = outcomes_.take(backend);
    for (std::size_t j = 0; j < outcomes.size(); ++j) {
      if (!losses_.take(trained_[j], outcomes[j].loss) || outcomes[j].count != 0)
        refuse_loss(trained_[j], outcomes[j].loss);
    }
    trained_.clear();
  }

 private:
  loss_record losses_;
  device_outcomes<Backend> outcomes_;
  std::vector<operation> trained_;
};

}  // namespace gossip
