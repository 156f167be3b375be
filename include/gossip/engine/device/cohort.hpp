// Up to k models on a device, of any type: their gradients, statistics and scores as one batch. No
// function waits unless it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/engine/device/keys.hpp>
#include <gossip/engine/device/loss_scales.hpp>

namespace gossip {

/// Models in work, whose rows (d) lie side by side in device memory. T: numbers of arithmetic.
template <class T, class Backend>
class device_cohort {
 protected:
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  /// d: numbers of a row; k: models at most; scales: whether losses are scaled.
  device_cohort(Backend backend, std::size_t d, std::size_t k, bool scales)
      : backend_(std::move(backend)),
        k_(k),
        keys_(k),
        scales_(scales, k),
        parameters_(k * d),
        gradients_(k * d),
        losses_(k),
        correct_(k) {}
  device_cohort(device_cohort const &) = delete;
  device_cohort &operator=(device_cohort const &) = delete;
  virtual ~device_cohort() = default;

  /// The most models.
  std::size_t most() const { return k_; }
  device_keys<Backend> &keys() { return keys_; }
  device_loss_scales<T, Backend> &loss_scales() { return scales_; }
  /// (most,d) in device memory.
  T *parameters() const { return parameters_.data(); }
  T *gradients() const { return gradients_.data(); }
  /// (most) in device memory.
  double *losses() const { return losses_.data(); }
  std::uint32_t *correct() const { return correct_.data(); }

  /// The gradients of the batches of keys() at k models, which gather() puts to parameters() by
  /// launches that depend on k alone.
  virtual void compute(std::size_t k, std::function<void()> const &gather) = 0;

  /// Takes the samples of a test set, on which the models are scored from now on.
  virtual void choose(dataset const &test, std::span<std::uint32_t const> samples) = 0;
  /// Scores of the first k models on `count` of the chosen samples, from number `first` on, to
  /// losses() and correct().
  virtual void score(std::size_t k, std::size_t first, std::size_t count) = 0;

  /// Replaces the statistics of the first k models by those of batches, averaged: owners[j] has
  /// the node of each batch of model j, all of them as many. Waits.
  virtual void measure(std::size_t k, std::vector<std::vector<node>> const &owners) = 0;

 protected:
  Backend const &backend() const { return backend_; }

 private:
  Backend backend_;
  std::size_t k_;
  device_keys<Backend> keys_;  // of the models in work
  device_loss_scales<T, Backend> scales_;
  buffer<T> parameters_, gradients_;
  buffer<double> losses_;
  buffer<std::uint32_t> correct_;
};

}  // namespace gossip
