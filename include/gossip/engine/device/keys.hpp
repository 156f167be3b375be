// Keys of the batches that a device is at work on: shares of the data and steps, for the host,
// which draws samples, and in device memory for layers that draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/model/layer/layer.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

namespace device_op {

/// Shares of the data, steps and slots of a cohort, to where all cohorts have them.
struct take_keys {
  operation const *cohort;  // (k)
  node *owners, *shares;
  std::uint64_t *steps;
  std::uint8_t *slots;

  constexpr void operator()(std::size_t j) const {
    owners[j] = cohort[j].a;
    shares[j] = cohort[j].train().share;
    steps[j] = cohort[j].train().batch;
    slots[j] = cohort[j].slot();
  }
};

}  // namespace device_op

template <class Backend>
class device_keys {
 public:
  explicit device_keys(std::size_t k)
      : device_owners_(k), device_shares_(k), device_steps_(k), device_slots_(k) {
    shares_.reserve(k);
    steps_.reserve(k);
  }

  /// Of a cohort that lies in device memory too.
  void take(Backend const &backend, std::span<operation const> cohort, operation const *there) {
    models_ = false;
    shares_.clear();
    steps_.clear();
    for (operation const &o : cohort) {
      shares_.push_back(o.train().share);
      steps_.push_back(o.train().batch);
    }
    backend.launch(cohort.size(),
                   device_op::take_keys{there, device_owners_.data(), device_shares_.data(),
                                        device_steps_.data(), device_slots_.data()});
  }

  void take(Backend const &backend, std::span<node const> nodes,
            std::span<std::uint64_t const> steps) {
    shares_.assign(nodes.begin(), nodes.end());
    steps_.assign(steps.begin(), steps.end());
    backend.upload(device_shares_.data(), shares_.data(), shares_.size());
    backend.upload(device_steps_.data(), steps_.data(), steps_.size());
    models_ = true;
  }

  /// The owners of the rows at which the gradients are taken, in device memory.
  node const *device_owners() const {
    return models_ ? device_shares_.data() : device_owners_.data();
  }
  node const *shares() const { return shares_.data(); }
  std::uint64_t const *steps() const { return steps_.data(); }
  /// The slots at which gradients are taken, in device memory; null: the models.
  std::uint8_t const *device_slots() const { return models_ ? nullptr : device_slots_.data(); }
  batch_key there(std::uint64_t seed) const {
    return {seed, device_shares_.data(), device_steps_.data()};
  }

 private:
  std::vector<node> shares_;
  std::vector<std::uint64_t> steps_;
  typename Backend::template buffer<node> device_owners_, device_shares_;
  typename Backend::template buffer<std::uint64_t> device_steps_;
  typename Backend::template buffer<std::uint8_t> device_slots_;
  bool models_ = false;  // nodes were taken, not trainings
};

}  // namespace gossip
