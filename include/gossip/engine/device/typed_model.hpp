// A model by its type for the engines of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/core/node.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/data/device_test_sets.hpp>
#include <gossip/engine/device/cohort.hpp>
#include <gossip/engine/device/cohort_memory.hpp>
#include <gossip/engine/device/model.hpp>
#include <gossip/engine/device/recordings.hpp>
#include <gossip/engine/device/rounding.hpp>
#include <gossip/engine/device/statistics.hpp>
#include <gossip/model/gradient_worker.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

namespace detail {

/// The batches of a cohort.
template <class Model, class Backend>
auto batches_of(cohort_parts<Backend> const &parts) {
  if constexpr (Model::learns_from_samples)
    return device_batches<Model::sample_major, Backend>(parts.samples, parts.batch, parts.stream);
  else
    return no_samples{};
}

/// True for a model whose batches lie as (lanes, features), false for (features, lanes).
template <class Model>
constexpr bool lies_by_sample() {
  if constexpr (Model::learns_from_samples) return Model::sample_major;
  return false;
}

}  // namespace detail

/// Cohorts of a model by its type. Precision: of gradients.
template <class Model, class T, class Backend, class Precision>
class typed_cohort final : public device_cohort<T, Backend> {
  using base = device_cohort<T, Backend>;
  using source_type =
      decltype(detail::batches_of<Model>(std::declval<cohort_parts<Backend> const &>()));
  using tests_type = device_test_sets<detail::lies_by_sample<Model>(), Backend>;
  using worker_type = typename Backend::worker;
  static constexpr std::size_t d = row_length<Model>;

 public:
  /// The model outlives it.
  typed_cohort(Model const &model, cohort_parts<Backend> const &parts)
      : base(parts.stream, d, parts.models, Precision::scales_loss),
        model_(model),
        source_(detail::batches_of<Model>(parts)),
        tests_(parts.tests),
        seed_(parts.seed),
        batch_(parts.batch),
        stride_(workspace_stride<Model, T, worker_type>(parts.batch)),
        worker_(this->backend()),
        workspace_(parts.models * stride_) {
    if constexpr (requires { source_.reserve(parts.models); }) source_.reserve(parts.models);
  }

  void compute(std::size_t k, std::function<void()> const &gather) override {
    auto task = task_over(k);
    task.loss_scale = this->loss_scales().factors();
    prepare_batches(task);
    auto const launch = [&] {
      gather();
      round_parameters(k);
      auto &&worker = worker_of_precision<Precision>(worker_);
      model_.gradient(worker, task);
      round_gradients(k);
    };
    if constexpr (Model::learns_from_samples)
      recordings_.run(this->backend(), k, launch);
    else
      launch();
  }

  void choose(dataset const &test, std::span<std::uint32_t const> samples) override {
    chosen_ = &tests_.of(test, samples, this->backend());
  }

  void score(std::size_t k, std::size_t first, std::size_t count) override {
    if constexpr (Model::learns_from_samples) {
      chosen_->begin_at(first);
      strided<T const> const models{this->parameters(), d};
      model_.evaluate(worker_,
                      evaluation_task<T, typename tests_type::samples>{k,
                                                                       count,
                                                                       models,
                                                                       {},
                                                                       workspace(),
                                                                       {this->losses(), 1},
                                                                       {this->correct(), 1},
                                                                       *chosen_});
    }
  }

  void measure(std::size_t k, std::vector<std::vector<node>> const &owners) override {
    measure_anew(this->backend(), model_, worker_, task_over(k), this->keys(), this->parameters(),
                 owners);
  }

 private:
  training_task<T, source_type> task_over(std::size_t k) {
    return {k,
            batch_,
            seed_,
            this->keys().shares(),
            this->keys().steps(),
            {this->parameters(), d},
            {this->gradients(), d},
            workspace(),
            {this->losses(), 1},
            source_,
            nullptr,
            this->keys().there(seed_)};
  }
  strided<std::byte> workspace() { return {workspace_.data(), stride_}; }

  /// Parameters of k rows, to the format that gradients are computed in.
  void round_parameters(std::size_t k) {
    if constexpr (Precision::rounds)
      this->backend().launch(k * Model::parameters,
                             device_op::round_parameters<typename Precision::format, T>{
                                 this->parameters(), d, Model::parameters});
  }
  void round_gradients(std::size_t k) {
    if constexpr (Precision::rounds)
      this->backend().launch(k * Model::parameters,
                             device_op::round_gradients<typename Precision::format, T>{
                                 this->gradients(), this->loss_scales().factors(),
                                 this->loss_scales().marks(), d, Model::parameters});
  }

  Model const &model_;
  source_type source_;
  tests_type tests_;
  typename tests_type::samples *chosen_ = nullptr;
  std::uint64_t seed_;
  std::size_t batch_, stride_;
  worker_type worker_;
  typename Backend::template buffer<std::byte> workspace_;
  device_recordings<Backend> recordings_;
};

/// A model by its type for engines on a device; members are not checked. Precision: of gradients;
/// Host: backend of its gradients on the host.
template <class Model, class T, class Backend, class Precision = full_precision, class Host = cpu>
class typed_device_model final
    : public model_of_type<Model, T, Precision, device_model<T, Backend>> {
 public:
  explicit typed_device_model(Model model, Precision precision = {})
      : model_of_type<Model, T, Precision, device_model<T, Backend>>(std::move(model),
                                                                     std::move(precision)) {}

  cohort_memory memory(std::size_t batch) const override {
    return cohort_memory_of<Model, T, typename Backend::worker>(batch);
  }
  std::unique_ptr<device_cohort<T, Backend>> cohort(
      cohort_parts<Backend> const &parts) const override {
    return std::make_unique<typed_cohort<Model, T, Backend, Precision>>(this->model(), parts);
  }
  std::shared_ptr<host_model<T> const> on_host() const override {
    return model_on_host<Host, T>(this->model());
  }
};

}  // namespace gossip
