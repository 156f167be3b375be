// What trainings and evaluations leave on a device, kept there until many are asked for at once:
// the host waits once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
    if (there_.size() < count) there_ = typename Backend::template buffer<outcome>(2 * count);
  }

  /// k more.
  void keep(Backend const &backend, std::size_t k, double const *losses,
            std::uint32_t const *counts) {
    backend.launch(k, device_op::keep_outcomes{losses, counts, there_.data() + kept_});
    kept_ += k;
  }

  /// All that were kept since the last call, in order. Waits for them.
  std::span<outcome const> take(Backend const &backend) {
    here_.resize(kept_);
    if (kept_ > 0) backend.download(here_.data(), there_.data(), kept_);
    kept_ = 0;
    return here_;
  }

 private:
  typename Backend::template buffer<outcome> there_;
  std::vector<outcome> here_;
  std::size_t kept_ = 0;
};

}  // namespace gossip
