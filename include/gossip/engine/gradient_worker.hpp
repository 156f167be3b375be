// One gradient on the host: what both engines do for a train operation before the optimizer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/core/number_text.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/training_place.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip {

/// Workspace of one node that serves its batches and chunks of test samples alike; bytes.
template <class Model, class T, class Backend>
constexpr std::size_t workspace_for(std::size_t batch) {
  return workspace_on<Model, T, typename Backend::worker>(std::max(batch, chunk_samples));
}

/// The nodes on whose batches the statistics of a model are measured anew: the node itself, or,
/// where none is given, or a server, nodes spread over the network.
inline std::vector<node> owners_of_batches(std::size_t batches, std::size_t nodes,
                                           node const *own) {
  std::vector<node> owners(batches);
  for (std::size_t b = 0; b < batches; ++b)
    owners[b] = own && *own < nodes ? *own : static_cast<node>(b * nodes / batches);
  return owners;
}

/// Number of the batch asked for among those of owners[b], from 0 on.
inline std::uint64_t times_before(std::span<node const> owners, std::size_t b) {
  return static_cast<std::uint64_t>(std::ranges::count(owners.first(b), owners[b]));
}

/// Number of batches that so many cores work on at once: one a core, or one by all where the model
/// can share a batch and its workspace is large.
template <class Model, class T, class Backend>
constexpr std::size_t batches_at_once(std::size_t cores, std::size_t batch) {
  constexpr std::size_t budget = std::size_t{1} << 28;  // bytes of workspace a core
  if constexpr (requires { Model::whole_batch; })
    if (Model::whole_batch && workspace_for<Model, T, Backend>(batch) > budget) return 1;
  return cores;
}

/// One number of a gradient in the format, without the scale; of one that overflowed infinity.
template <class Format, class T>
constexpr T rounded_gradient(T value, T const *scale) {
  T const near = rounded<Format>(value);
  return scale ? near / *scale : near;
}

/// The same for `count` numbers; returns whether all of them are finite.
template <class Format, class T>
bool round_gradient(T *gradient, std::size_t count, T const *scale) {
  std::size_t overflows = 0;
  for (std::size_t c = 0; c < count; ++c) {
    gradient[c] = rounded_gradient<Format>(gradient[c], scale);
    overflows += !(std::abs(gradient[c]) <= std::numeric_limits<T>::max());
  }
  return overflows == 0;
}

/// The result of one gradient.
struct gradient_result {
  double loss;  // mean over the batch
  bool finite;  // with loss scaling: no number overflowed; else always true: a gradient that is not
                // finite is absorbed, so that the next loss shows it
};

/// A worker's memory and inputs to compute gradients. Types: engine_types.
template <class Types>
class gradient_worker {
  using T = typename Types::number;
  using Row = typename Types::storage;
  using Backend = typename Types::backend;
  using Model = typename Types::model;
  using Source = typename Types::source;
  using Precision = typename Types::precision;
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  gradient_worker(Model const &model, Source source, std::uint64_t seed, std::size_t batch)
      : model_(&model),
        source_(std::move(source)),
        seed_(seed),
        batch_(batch),
        numbers_(copies ? row_length<Model> : 0),
        gradient_(row_length<Model>),
        workspace_(workspace_for<Model, T, Backend>(batch)) {}

  static constexpr std::size_t bytes(std::size_t batch) {
    return (1 + copies) * row_length<Model> * sizeof(T) + workspace_for<Model, T, Backend>(batch);
  }

  /// The gradient of the node's next batch at x; scale: of the loss, null where it has none.
  gradient_result compute(operation const &o, Row const *x, T const *scale = nullptr) {
    gradient_result result{0, true};
    node const share = o.share();
    std::uint64_t const batch = o.batch();
    if constexpr (Precision::rounds) {
      using format = typename Precision::format;
      detail::rounding_worker<typename Backend::worker, format> worker{worker_};
      copy(x);
      detail::round_values(worker, 1, strided<T>{numbers_.data(), 0}, Model::parameters);
      auto task = task_of(share, batch, numbers_.data(), result.loss);
      task.loss_scale = scale;
      model_->gradient(worker, task);
      bool const finite = round_gradient<format>(gradient_.data(), Model::parameters, scale);
      result.finite = finite || !Precision::scales_loss;
    } else {
      model_->gradient(worker_, task_of(share, batch, numbers(x), result.loss));
    }
    return result;
  }

  /// A row as numbers of the arithmetic, until the next call.
  T const *numbers(Row const *x) {
    if constexpr (std::is_same_v<Row, T>) {
      return x;
    } else {
      copy(x);
      return numbers_.data();
    }
  }

  /// The statistics of the model x, measured on batches of `owners`, the first of each that it has
  /// not been measured on yet, and averaged.
  void measure(T const *x, std::span<node const> owners, T *statistics) {
    std::vector<double> sums(row_length<Model> - Model::parameters);
    double loss = 0;
    for (std::size_t b = 0; b < owners.size(); ++b) {
      model_->batch_statistics(worker_, task_of(owners[b], times_before(owners, b), x, loss));
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += static_cast<double>(gradient_.data()[Model::parameters + c]);
    }
    for (std::size_t c = 0; c < sums.size(); ++c)
      statistics[c] = static_cast<T>(sums[c] / static_cast<double>(owners.size()));
  }

  /// Scores of the model x on a chunk of samples; statistics: those to be used in place of x's, or
  /// null.
  template <class Samples>
  evaluation score(T const *x, T const *statistics, Samples &samples, std::size_t count) {
    std::uint32_t correct = 0;
    double loss = 0;
    model_->evaluate(worker_, evaluation_task<T, Samples>{1,
                                                          count,
                                                          {x, 0},
                                                          {statistics, 0},
                                                          {workspace_.data(), 0},
                                                          {&loss, 0},
                                                          {&correct, 0},
                                                          samples});
    return {static_cast<double>(correct), loss};
  }

  T *gradient() const { return gradient_.data(); }

  /// Memory that will be wanted after this gradient, in place of what was named before.
  void expect(std::span<void const *const> rows, std::size_t bytes) {
    if constexpr (requires { worker_.ahead; }) {
      worker_.ahead = {};
      if (worker_.parallel() || rows.size() * bytes > worker_.ahead.budget) return;
      for (void const *row : rows) worker_.ahead.expect(row, bytes);
    }
  }

  /// Sets the number of cores that share a batch; the bits of a gradient do not depend on it.
  void use_cores(std::size_t cores) {
    if constexpr (requires { worker_.team; }) worker_.team = cores;
  }

 private:
  static constexpr bool copies = Precision::rounds || !std::is_same_v<Row, T>;

  void copy(Row const *x) { std::copy(x, x + row_length<Model>, numbers_.data()); }

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
  buffer<T> numbers_;  // (d) of a row that is not as the model wants it
  buffer<T> gradient_;
  buffer<std::byte> workspace_;
  typename Backend::worker worker_;
};

/// Of a training whose loss is no number, or whose gradient is beyond what all-reduce can add.
[[noreturn]] inline void refuse_loss(operation const &o, double loss) {
  if (std::isfinite(loss))
    throw row_fault(training_place(o) +
                        ": the gradient has a number that is not finite or beyond 2^20, too large "
                        "to be summed",
                    o, o.a, o.slot());
  throw row_fault(training_place(o) + ": the loss is " + detail::rounded_text(loss), o, o.a,
                  o.slot());
}

}  // namespace gossip
