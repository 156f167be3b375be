// The seam between a model and the engines of devices: they see a model of any type as cohorts that
// compute gradients and scores in numbers of one type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <gossip/data/device_source.hpp>
#include <gossip/data/device_test_sets.hpp>
#include <gossip/engine/device/cohort.hpp>
#include <gossip/engine/device/cohort_memory.hpp>
#include <gossip/model/worker.hpp>

namespace gossip {

/// The parts of a cohort. stream: the device, by the stream that the cohort is at work on.
template <class Backend>
struct cohort_parts {
  Backend stream;
  device_training_samples<Backend> samples;
  std::shared_ptr<uploaded_sets<Backend>> tests;  ///< which several cohorts may share
  std::uint64_t seed;                             ///< of the run
  std::size_t batch;                              ///< samples of a gradient
  std::size_t models;                             ///< at most
};

/// A model for the engines of a device. A cohort has loss scales where scaling() has a value.
template <class T, class Backend>
class device_model : public model_in_numbers<T> {
 public:
  /// Memory of the nodes in work; batch: samples of a gradient.
  virtual cohort_memory memory(std::size_t batch) const = 0;
  /// A cohort; the model outlives it.
  virtual std::unique_ptr<device_cohort<T, Backend>> cohort(
      cohort_parts<Backend> const &parts) const = 0;
  /// The same model with gradients by the host, in full precision.
  virtual std::shared_ptr<host_model<T> const> on_host() const = 0;
};

}  // namespace gossip
