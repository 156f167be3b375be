// A model whose gradients are computed on a device while its rows lie in memory of the host, or
// behind that on a disk: a row goes to the device, its gradient comes back, and steps and exchanges
// are the host's. J. Ren et al., "ZeRO-Offload", USENIX ATC 2021, divides the work of one model
// so; here copies of some nodes overlap with the gradients of others and the steps of others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/data/device_test_sets.hpp>
#include <gossip/engine/device/cohort.hpp>
#include <gossip/engine/device/model.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/worker.hpp>

namespace gossip {

namespace detail {

/// The same device by a stream of its own, where the backend has streams.
template <class Backend>
Backend own_stream(Backend const &backend) {
  if constexpr (requires { backend.own_stream(); })
    return backend.own_stream();
  else
    return backend;
}

/// Pages of the host's memory that a device copies from and to by itself, where it can.
template <class Backend>
class locked_rows {
 public:
  /// Once, when models have been written, so that their pages are there; on the device of the
  /// calling thread.
  void lock(std::vector<std::span<std::byte>> const &memory) {
    if constexpr (requires { typename Backend::locked_pages; })
      std::call_once(once_, [&] {
        for (auto const part : memory) pages_.emplace_back(part);
      });
  }

 private:
  struct none {};
  static constexpr auto kind() {
    if constexpr (requires { typename Backend::locked_pages; })
      return std::type_identity<typename Backend::locked_pages>{};
    else
      return std::type_identity<none>{};
  }
  std::once_flag once_;
  std::vector<typename decltype(kind())::type> pages_;
};

}  // namespace detail

/// Memory for the workers of one run.
template <class T, class Backend>
struct offload_memory {
  device_model<T, Backend> const &model;
  std::size_t device;  ///< bytes of the device for all of them

  /// Bytes of the device for a node in work, with its batch, loss and keys.
  std::size_t each(std::size_t batch) const {
    constexpr std::size_t sample = sizeof(std::uint32_t) + sizeof(sample_move), keys = 64;
    return model.memory(batch).each + batch * sample + keys;
  }
  /// Bytes of the device beside samples and nodes in work.
  static std::size_t beside(std::size_t workers) {
    std::size_t bytes = 0;
    if constexpr (requires { Backend::beside_buffers; }) bytes += Backend::beside_buffers;
    if constexpr (requires { Backend::stream_bytes; }) bytes += workers * Backend::stream_bytes;
    return bytes;
  }
  /// Nodes of a worker at a time where there is room, a 64th of all and one: few enough that copies
  /// and steps of some overlap with gradients of others, and that the first copy and the last are a
  /// small part.
  static std::size_t wanted(std::size_t nodes, std::size_t workers) {
    constexpr std::size_t parts = 64, parts_of_worker = 4, most = 65'535;
    return std::min(nodes / std::max(parts, parts_of_worker * workers) + 1, most);
  }

  /// Nodes of a worker at a time; samples: bytes of the device. Throws input_error where there is
  /// no room for one.
  std::size_t nodes_at_once(worker_settings const &of, std::size_t workers,
                            std::size_t samples) const {
    std::size_t const rest = samples + beside(workers), ones = workers * each(of.batch);
    if (device < rest + ones)
      throw input_error("cpu_offload: device_memory",
                        "at least " + enough_bytes(rest + ones) + ": " + enough_bytes(samples) +
                            " for samples, " + enough_bytes(beside(workers)) +
                            " for libraries, and " + enough_bytes(each(of.batch)) +
                            " for a node of each of " + std::to_string(workers) + " threads",
                        format_bytes(device));
    return std::min((device - rest) / ones, wanted(of.nodes, workers));
  }

  /// Bytes of the host, at most: gradients, and rows that are widened there.
  std::size_t on_host(worker_settings const &of, std::size_t workers) const {
    std::size_t const room =
        (device - std::min(device, beside(workers))) / (workers * each(of.batch));
    std::size_t const rows = std::min(room, wanted(of.nodes, workers)) * (of.widens ? 2 : 1);
    std::size_t bytes = workers * rows * model.outline().row_length() * sizeof(T);
    if constexpr (requires { Backend::stream_host_bytes; })
      bytes += workers * Backend::stream_host_bytes;
    if constexpr (requires { Backend::beside_host_buffers; }) bytes += Backend::beside_host_buffers;
    return bytes;
  }
};

/// Computes gradients of some nodes at a time on a device, by a stream of its own.
template <class T, class Backend>
class offloaded_worker final : public model_worker<T> {
 public:
  /// Parts that the workers of a run have in common; they outlive the workers.
  struct shared_parts {
    device_model<T, Backend> const &model;
    device_training_samples<Backend> samples;
    std::shared_ptr<uploaded_sets<Backend>> tests;
    worker_settings settings;
    detail::locked_rows<Backend> locked;
  };

  /// k: nodes at a time.
  offloaded_worker(std::shared_ptr<shared_parts> parts, Backend backend, std::size_t k)
      : parts_(std::move(parts)),
        backend_(backend),
        parameters_(parts_->model.outline().parameters),
        d_(parts_->model.outline().row_length()),
        cohort_(parts_->model.cohort({backend, parts_->samples, parts_->tests,
                                      parts_->settings.seed, parts_->settings.batch, k})),
        rows_(parts_->settings.widens ? k * d_ : 0),
        gradients_(k * d_),
        losses_(k) {
    backend_.wait();  // so that the stream is of the device that this thread has chosen
  }

  std::size_t tasks_at_once() const override { return cohort_->most(); }

  void compute(std::span<gradient_task<T> const> tasks, gradient_result *results) override {
    std::size_t const k = tasks.size();
    shares_.clear();
    batches_.clear();
    for (gradient_task<T> const &one : tasks) {
      shares_.push_back(one.share);
      batches_.push_back(one.batch);
    }
    cohort_->keys().take(backend_, shares_, batches_);
    parts_->locked.lock(parts_->settings.rows);
    for (std::size_t j = 0; j < k; ++j) begin_upload(j, tasks[j].row);
    auto &scales = cohort_->loss_scales();
    scales.take(backend_, k,
                [&](std::size_t j) { return tasks[j].loss_scale ? *tasks[j].loss_scale : T{1}; });
    cohort_->compute(k, [] {});
    backend_.begin_download(gradients_.data(), cohort_->gradients(), k * d_);
    backend_.begin_download(losses_.data(), cohort_->losses(), k);
    scales.look(backend_, k);
    backend_.wait();
    for (std::size_t j = 0; j < k; ++j) results[j] = {losses_.data()[j], !scales.overflowed(j)};
  }

  T *gradient(std::size_t k) override { return gradients_.data() + k * d_; }

  void measure(stored_row<T> x, std::span<node const> owners, T *statistics) override {
    begin_upload(0, x);
    cohort_->measure(1, {std::vector<node>(owners.begin(), owners.end())});
    backend_.download(statistics, cohort_->parameters() + parameters_, d_ - parameters_);
  }

  evaluation score(stored_row<T> x, T const *statistics, dataset const &test,
                   std::span<std::uint32_t const> samples) override {
    begin_upload(0, x);
    if (statistics)
      backend_.upload(cohort_->parameters() + parameters_, statistics, d_ - parameters_);
    cohort_->choose(test, samples);
    cohort_->score(1, 0, samples.size());
    std::uint32_t correct = 0;
    double loss = 0;
    backend_.download(&correct, cohort_->correct(), 1);
    backend_.download(&loss, cohort_->losses(), 1);
    return {static_cast<double>(correct), loss};
  }

 private:
  /// The row to that of number j on the device; until the stream has come to it, it stays as it is.
  void begin_upload(std::size_t j, stored_row<T> row) {
    T const *from = static_cast<T const *>(row.data);
    if (row.widen) {
      row.widen(row.data, d_, rows_.data() + j * d_);
      from = rows_.data() + j * d_;
    }
    backend_.begin_upload(cohort_->parameters() + j * d_, from, d_);
  }

  std::shared_ptr<shared_parts> parts_;
  Backend backend_;
  std::size_t parameters_, d_;
  std::unique_ptr<device_cohort<T, Backend>> cohort_;
  typename Backend::template pinned<T> rows_, gradients_;  // (k,d)
  typename Backend::template pinned<double> losses_;       // (k)
  std::vector<node> shares_;
  std::vector<std::uint64_t> batches_;
};

/// T: numbers of arithmetic; Backend: of the device.
template <class T, class Backend>
class offloaded_model final : public host_model<T> {
  using worker_type = offloaded_worker<T, Backend>;

 public:
  /// device_memory: bytes that the workers of a run have there. Throws input_error for a model that
  /// does not learn from samples.
  offloaded_model(std::shared_ptr<device_model<T, Backend> const> model, Backend backend,
                  std::size_t device_memory)
      : model_(std::move(model)), backend_(std::move(backend)), memory_{*model_, device_memory} {
    if (!outline().learns_from_samples)
      throw input_error("cpu_offload", "a model that learns from samples",
                        "one that is its own data");
  }

  model_outline const &outline() const override { return model_->outline(); }
  std::vector<named_tensor> tensors() const override { return model_->tensors(); }
  std::string precision() const override { return model_->precision(); }
  std::optional<scaled_loss> scaling() const override { return model_->scaling(); }
  void initialise(std::span<T> row, std::uint64_t seed) const override {
    model_->initialise(row, seed);
  }

  std::unique_ptr<model_worker<T>> worker(worker_settings const &of) const override {
    return std::move(team(of, 1).front());
  }
  std::vector<std::unique_ptr<model_worker<T>>> team(worker_settings const &of,
                                                     std::size_t count) const override {
    using samples_type = device_samples<Backend>;
    require_free_memory();
    std::size_t const samples = samples_type::bytes(*of.samples.data) + of.test_bytes;
    std::size_t const k = memory_.nodes_at_once(of, count, samples);
    Backend const first = detail::own_stream(backend_);
    using parts_type = typename worker_type::shared_parts;
    std::shared_ptr<parts_type> const parts(
        new parts_type{*model_,
                       {*of.samples.data, *of.samples.shares, first},
                       std::make_shared<uploaded_sets<Backend>>(),
                       of,
                       {}});
    first.wait();  // streams of the others do not
    std::vector<std::unique_ptr<model_worker<T>>> all;
    for (std::size_t w = 0; w < count; ++w)
      all.push_back(
          std::make_unique<worker_type>(parts, w == 0 ? first : detail::own_stream(backend_), k));
    return all;
  }
  std::size_t team_bytes(worker_settings const &of, std::size_t count) const override {
    return memory_.on_host(of, count);
  }
  std::size_t device_bytes() const override { return memory_.device; }
  std::shared_ptr<host_model<T> const> on_host() const override { return model_->on_host(); }
  std::string device_name() const override {
    if constexpr (requires { backend_.device_name(); })
      return backend_.device_name();
    else
      return Backend::name;
  }

 private:
  /// Throws error where the device has less now.
  void require_free_memory() const {
    if constexpr (requires { backend_.available_bytes(); })
      if (std::size_t const there = backend_.available_bytes(); there < memory_.device)
        throw error("cpu_offload: device_memory: expected at most " + format_bytes(there) +
                    ", which are free there, got " + format_bytes(memory_.device));
  }

  std::shared_ptr<device_model<T, Backend> const> model_;
  Backend backend_;
  offload_memory<T, Backend> memory_;
};

}  // namespace gossip
