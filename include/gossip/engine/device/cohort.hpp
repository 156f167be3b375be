// Up to k models on a device: their gradients, statistics and scores as one batch. No function
// waits unless it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/engine/device/cohort_memory.hpp>
#include <gossip/engine/device/keys.hpp>
#include <gossip/engine/device/recordings.hpp>
#include <gossip/engine/device/statistics.hpp>
#include <gossip/model/model.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// Source: of batches; T: numbers of arithmetic.
template <class T, class Model, class Source, class Backend>
class device_cohort {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using memory = cohort_memory<T, Model, typename Backend::worker>;

 public:
  static constexpr std::size_t d = row_length<Model>;
  /// True: batches lie as (lanes, features).
  static constexpr bool by_sample = [] {
    if constexpr (Model::learns_from_samples) return Model::sample_major;
    return false;
  }();

  /// The model outlives it; k: models at most.
  device_cohort(Backend backend, Model const &model, Source source, std::uint64_t seed,
                std::size_t batch, std::size_t k)
      : backend_(std::move(backend)),
        model_(model),
        source_(std::move(source)),
        seed_(seed),
        batch_(batch),
        k_(k),
        worker_(backend_),
        keys_(k),
        parameters_(k * d),
        gradients_(k * d),
        workspace_(k * memory::workspace_stride(batch)),
        loss_(k),
        correct_(k) {
    if constexpr (requires { source_.reserve(k); }) source_.reserve(k);
  }

  /// The most models.
  std::size_t most() const { return k_; }
  device_keys<Backend> &keys() { return keys_; }
  /// (most,d) in device memory.
  T *parameters() const { return parameters_.data(); }
  T *gradients() const { return gradients_.data(); }
  /// (most) in device memory.
  double const *losses() const { return loss_.data(); }
  std::uint32_t const *correct() const { return correct_.data(); }

  /// The gradients of the batches of keys() at k models, which gather() puts to parameters() by
  /// launches that depend on k alone; rounding: a device_rounding.
  template <class Rounding, class Gather>
  void compute(std::size_t k, Rounding &rounding, Gather gather) {
    auto task = task_over(k);
    task.loss_scale = rounding.loss_scales();
    prepare_batches(task);
    auto const launch = [&] {
      gather();
      rounding.round_parameters(backend_, k, parameters_.data(), d, Model::parameters);
      auto &&worker = rounding.worker(worker_);
      model_.gradient(worker, task);
      rounding.round_gradients(backend_, k, gradients_.data(), d, Model::parameters);
    };
    if constexpr (Model::learns_from_samples)
      recordings_.run(backend_, k, launch);
    else
      launch();
  }

  /// Scores of the first k models on the next `count` samples of a source, to losses() and
  /// correct().
  template <class Samples>
  void score(Samples &source, std::size_t k, std::size_t count) {
    strided<T const> const models{parameters_.data(), d};
    model_.evaluate(
        worker_,
        evaluation_task<T, Samples>{
            k, count, models, {}, workspace(), {loss_.data(), 1}, {correct_.data(), 1}, source});
  }

  /// Replaces the statistics of the first k models by those of batches, averaged: owners[j] has
  /// the node of each batch of model j, all of them as many. Waits.
  void measure(std::size_t k, std::vector<std::vector<node>> const &owners) {
    measure_anew(backend_, model_, worker_, task_over(k), keys_, parameters_.data(), owners);
  }

 private:
  training_task<T, Source> task_over(std::size_t k) {
    return {k,
            batch_,
            seed_,
            keys_.shares(),
            keys_.steps(),
            {parameters_.data(), d},
            {gradients_.data(), d},
            workspace(),
            {loss_.data(), 1},
            source_,
            nullptr,
            keys_.there(seed_)};
  }
  strided<std::byte> workspace() { return {workspace_.data(), memory::workspace_stride(batch_)}; }

  Backend backend_;
  Model const &model_;
  Source source_;
  std::uint64_t seed_;
  std::size_t batch_, k_;
  typename Backend::worker worker_;
  device_keys<Backend> keys_;  // of the models in work
  buffer<T> parameters_, gradients_;
  buffer<std::byte> workspace_;
  buffer<double> loss_;
  buffer<std::uint32_t> correct_;
  device_recordings<Backend> recordings_;
};

}  // namespace gossip
