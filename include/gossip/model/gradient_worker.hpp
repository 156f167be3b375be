// A model that is a type (model/model.hpp) behind the seam that engines of hosts see: kernels and
// sources of samples are compiled for the model here, and nowhere else; gossip::compiled has them
// for models of the zoo (backend/model_on_host.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/model/batch_owners.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>

namespace gossip {

/// The source of a model's batches on hosts.
template <class Model>
auto source_of_batches(training_samples const &samples, std::size_t batch) {
  if constexpr (Model::learns_from_samples)
    return node_batches<Model::sample_major>(*samples.data, *samples.shares, batch);
  else
    return no_samples{};
}

/// One gradient at a time, by one core or, of a large batch, by several. Backend: of the host,
/// whose worker runs the model's layers; Source: of batches; Precision: of gradients.
template <class Model, class T, class Backend, class Source, class Precision = full_precision>
class gradient_worker final : public model_worker<T> {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  /// The model outlives it. widens: rows are stored in another type than T.
  gradient_worker(Model const &model, Source source, std::uint64_t seed, std::size_t batch,
                  bool widens = false)
      : model_(&model),
        source_(std::move(source)),
        seed_(seed),
        batch_(batch),
        numbers_(copies(widens) ? row_length<Model> : 0),
        gradient_(row_length<Model>),
        workspace_(workspace_bytes(batch)) {}

  /// Bytes of a worker.
  static constexpr std::size_t bytes(std::size_t batch, bool widens) {
    return (copies(widens) ? 2 : 1) * row_length<Model> * sizeof(T) + workspace_bytes(batch);
  }
  /// Workspace that serves batches and chunks of test samples alike; bytes.
  static constexpr std::size_t workspace_bytes(std::size_t batch) {
    return workspace_on<Model, T, typename Backend::worker>(std::max(batch, chunk_samples));
  }

  void compute(std::span<gradient_task<T> const> tasks, gradient_result *results) override {
    gradient_task<T> const &of = tasks.front();
    gradient_result &result = results[0] = {0, true};
    if constexpr (Precision::rounds) {
      using format = typename Precision::format;
      detail::rounding_worker<typename Backend::worker, format> worker{worker_};
      copy(of.row);
      detail::round_values(worker, 1, strided<T>{numbers_.data(), 0}, Model::parameters);
      auto task = task_of(of.share, of.batch, numbers_.data(), result.loss);
      task.loss_scale = of.loss_scale;
      model_->gradient(worker, task);
      bool const finite =
          round_gradient<format>(gradient_.data(), Model::parameters, of.loss_scale);
      result.finite = finite || !Precision::scales_loss;
    } else {
      model_->gradient(worker_, task_of(of.share, of.batch, numbers(of.row), result.loss));
    }
  }

  T *gradient(std::size_t) override { return gradient_.data(); }

  void measure(stored_row<T> x, std::span<node const> owners, T *statistics) override {
    constexpr std::size_t count = row_length<Model> - Model::parameters;
    if constexpr (count > 0) {
      T const *const row = numbers(x);
      std::vector<double> sums(count);
      double loss = 0;
      for (std::size_t b = 0; b < owners.size(); ++b) {
        std::uint64_t const step = times_before(owners, b);
        model_->batch_statistics(worker_, task_of(owners[b], step, row, loss));
        for (std::size_t c = 0; c < count; ++c)
          sums[c] += static_cast<double>(gradient_.data()[Model::parameters + c]);
      }
      for (std::size_t c = 0; c < count; ++c)
        statistics[c] = static_cast<T>(sums[c] / static_cast<double>(owners.size()));
    }
  }

  evaluation score(stored_row<T> x, T const *statistics, dataset const &test,
                   std::span<std::uint32_t const> samples) override {
    std::uint32_t correct = 0;
    double loss = 0;
    if constexpr (Model::learns_from_samples) {
      test_samples<Model::sample_major> source(test, samples);
      model_->evaluate(worker_, evaluation_task<T, decltype(source)>{1,
                                                                     samples.size(),
                                                                     {numbers(x), 0},
                                                                     {statistics, 0},
                                                                     {workspace_.data(), 0},
                                                                     {&loss, 0},
                                                                     {&correct, 0},
                                                                     source});
    }
    return {static_cast<double>(correct), loss};
  }

  void expect(std::span<void const *const> rows, std::size_t bytes) override {
    if constexpr (requires { worker_.ahead; }) {
      worker_.ahead = {};
      if (worker_.parallel() || rows.size() * bytes > worker_.ahead.budget) return;
      for (void const *row : rows) worker_.ahead.expect(row, bytes);
    }
  }

  void use_cores(std::size_t cores) override {
    if constexpr (requires { worker_.team; }) worker_.team = cores;
  }

 private:
  /// True where the model works on a copy of the row, rounded or widened.
  static constexpr bool copies(bool widens) { return Precision::rounds || widens; }

  void copy(stored_row<T> x) {
    if (x.widen)
      x.widen(x.data, row_length<Model>, numbers_.data());
    else
      std::copy_n(static_cast<T const *>(x.data), row_length<Model>, numbers_.data());
  }

  /// The row as numbers, until the next call.
  T const *numbers(stored_row<T> x) {
    if (!x.widen) return static_cast<T const *>(x.data);
    copy(x);
    return numbers_.data();
  }

  training_task<T, Source> task_of(node const &owner, std::uint64_t const &step, T const *x,
                                   double &loss) {
    return {1,
            batch_,
            seed_,
            &owner,
            &step,
            {x, 0},
            {gradient_.data(), 0},
            {workspace_.data(), 0},
            {&loss, 0},
            source_};
  }

  Model const *model_;
  Source source_;
  std::uint64_t seed_;
  std::size_t batch_;
  buffer<T> numbers_;  // (d) copy of the row, rounded or widened
  buffer<T> gradient_;
  buffer<std::byte> workspace_;
  typename Backend::worker worker_;
};

/// A model by its type for numbers T and a precision of gradients. Seam: the class that engines
/// see.
template <class Model, class T, class Precision, class Seam = host_model<T>>
class model_of_type : public Seam {
 public:
  explicit model_of_type(Model model, Precision precision)
      : model_(std::move(model)), precision_(std::move(precision)) {}

  model_outline const &outline() const override {
    static constexpr model_outline all = outline_of_model<Model>();
    return all;
  }
  std::vector<named_tensor> tensors() const override { return named_tensors<Model>(); }
  std::string precision() const override { return Precision::rounds ? Precision::name : ""; }
  std::optional<scaled_loss> scaling() const override { return precision_.scaling(); }

  void initialise(std::span<T> row, std::uint64_t seed) const override {
    model_.initialise(row, seed);
  }

 protected:
  Model const &model() const { return model_; }

 private:
  Model model_;
  Precision precision_;
};

/// A model by its type, for a backend of the host.
template <class Model, class T, class Backend, class Precision = full_precision>
class typed_model final : public model_of_type<Model, T, Precision> {
  using source_type = decltype(source_of_batches<Model>({}, 1));
  using worker_type = gradient_worker<Model, T, Backend, source_type, Precision>;

 public:
  explicit typed_model(Model model, Precision precision = {})
      : model_of_type<Model, T, Precision>(std::move(model), std::move(precision)) {}

  std::unique_ptr<model_worker<T>> worker(worker_settings const &of) const override {
    return std::make_unique<worker_type>(this->model(),
                                         source_of_batches<Model>(of.samples, of.batch), of.seed,
                                         of.batch, of.widens);
  }
  std::size_t team_bytes(worker_settings const &of, std::size_t count) const override {
    return count * worker_type::bytes(of.batch, of.widens);
  }
  std::size_t workers(std::size_t cores, std::size_t batch) const override {
    constexpr std::size_t budget = std::size_t{1} << 28;  // bytes of workspace a core
    return shares_batches() && worker_type::workspace_bytes(batch) > budget ? 1 : cores;
  }
  bool shares_batches() const override {
    if constexpr (requires { Model::whole_batch; })
      return Model::whole_batch;
    else
      return false;
  }
};

}  // namespace gossip
