// Scales of the losses of a cohort on a device, and marks of the gradients that overflowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossip {

/// Scales and marks of up to k models. Where no loss is scaled there is no memory, and nothing
/// overflows.
template <class T, class Backend>
class device_loss_scales {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  /// k: models of a cohort at most; scales: whether losses are scaled.
  device_loss_scales(bool scales, std::size_t k)
      : host_factors_(scales ? k : 0),
        host_overflowed_(host_factors_.size()),
        factors_(host_factors_.size()),
        overflowed_(host_factors_.size()) {}

  /// True where losses are scaled.
  bool scales() const { return !host_factors_.empty(); }

  /// (k) in device memory; null: no loss is scaled.
  T const *factors() const { return scales() ? factors_.data() : nullptr; }
  std::uint32_t *marks() const { return scales() ? overflowed_.data() : nullptr; }

  /// Uploads the factors of a cohort of k, and forgets the marks; factor_of(j): of model j.
  template <class FactorOf>
  void take(Backend const &backend, std::size_t k, FactorOf factor_of) {
    if (!scales()) return;
    for (std::size_t j = 0; j < k; ++j) {
      host_factors_[j] = factor_of(j);
      host_overflowed_[j] = 0;
    }
    backend.upload(factors_.data(), host_factors_.data(), k);
    backend.upload(overflowed_.data(), host_overflowed_.data(), k);
  }

  /// Reads which gradients of a cohort of k overflowed. Waits for them.
  void look(Backend const &backend, std::size_t k) {
    if (scales()) backend.download(host_overflowed_.data(), overflowed_.data(), k);
  }
  /// True where gradient j of the cohort that was looked at last has overflowed.
  bool overflowed(std::size_t j) const { return scales() && host_overflowed_[j] != 0; }

 private:
  std::vector<T> host_factors_;
  std::vector<std::uint32_t> host_overflowed_;
  buffer<T> factors_;
  buffer<std::uint32_t> overflowed_;
};

}  // namespace gossip
