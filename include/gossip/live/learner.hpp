// One learner of a live run: a model, its optimizer rows, and the thread that computes gradients.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/engine/training_place.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/live/background_gradient.hpp>
#include <gossip/live/metrics.hpp>
#include <gossip/live/recording.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip::live {

/// The arithmetic is that of the simulator's engines, operation by operation. Everything but
/// gradients happens on the thread that uses the object.
template <class T>
class learner {
 public:
  using number = T;

  /// The parts of a learner; the model outlives it.
  struct parts {
    host_machine<T> machine;
    host_model<T> const &model;
    row_arithmetic<T> arithmetic;
    training_samples samples;
    std::uint64_t seed;
    std::size_t batch;
    std::size_t mixed;  ///< columns that an exchange works on
    node self;          ///< owner of the batches it trains on
    pace speed{};
  };

  explicit learner(parts const &p)
      : machine_(p.machine),
        arithmetic_(p.arithmetic),
        mixed_(p.mixed),
        self_(p.self),
        d_(p.model.outline().row_length()),
        rows_({1, d_, p.arithmetic.rows(), false}),
        taken_at_(d_),
        worker_(p.model.worker({p.samples, p.seed, p.batch})) {
    std::vector<T> first(d_);
    p.model.initialise(std::span<T>(first), p.seed);
    start_all(rows_, machine_, std::span<T const>(first));
    background_ = std::make_unique<background_gradient>(
        p.speed, p.seed, p.self, [this](std::uint64_t step) { return compute(step); });
  }

  learner(learner const &) = delete;
  learner &operator=(learner const &) = delete;

  node self() const { return self_; }

  /// The learner's model, (d); the columns that are exchanged.
  std::span<T> row() const { return {own_.row(0, 0), d_}; }
  std::span<T> exchanged() const { return row().first(mixed_); }

  /// Begins the next gradient, at the model as it is now. The model may change meanwhile.
  void begin() {
    recorded_.begin();
    std::ranges::copy(row(), taken_at_.data());
    changes_ = 0;
    background_->begin(counted_.iterations);
  }

  /// Waits for the gradient, but no longer than so; true if it is there.
  bool wait(std::chrono::nanoseconds longest) {
    bool const there = background_->wait(longest);
    if (there) recorded_.ready();
    return there;
  }

  /// The model has been averaged with others since the gradient was begun.
  void changed() { ++changes_; }

  /// The gradient that is there (d); statistics of the batch behind it.
  std::span<T> gradient() { return {worker_->gradient(), d_}; }

  /// Steps by the gradient that is there, which belongs to the model it was taken at. `rate` as a
  /// function of the steps before.
  template <class Rate>
  void step(Rate rate) {
    advance(rate, [this](auto const &scale, std::size_t first, std::size_t last) {
      arithmetic_.absorb(worker_->gradient() + first, columns(taken_at_.data(), first, last));
      arithmetic_.step(scale, columns(own_.row(0, 0), first, last));
    });
  }

  /// Steps by another gradient (d) in the place of its own; nothing has touched the model since.
  template <class Rate>
  void step_by(T const *gradient, Rate rate) {
    advance(rate, [&](auto const &scale, std::size_t first, std::size_t last) {
      arithmetic_.absorb_and_step(scale, gradient + first, columns(own_.row(0, 0), first, last));
    });
  }

  /// Ends the thread of gradients; one that is under way is given up. Afterwards only score().
  void finish() {
    recorded_.finish();
    counted_.waiting_seconds = recorded_.waiting_seconds();
    background_.reset();
  }

  metrics &counted() { return counted_; }
  recording &recorded() { return recorded_; }

  /// The sum of all numbers that are exchanged, and of their absolute values.
  double sum() const {
    return lane_sum(exchanged(), [](double x) { return x; });
  }
  double magnitude() const {
    return lane_sum(exchanged(), [](double x) { return std::abs(x); });
  }

  /// Scores of a model (d) on the first `count` samples of a test set; after finish().
  evaluation score(T const *x, dataset const &test, std::size_t count) {
    std::vector<std::uint32_t> samples(std::min(count, test.size()));
    for (std::size_t s = 0; s < samples.size(); ++s) samples[s] = static_cast<std::uint32_t>(s);
    evaluation_chunks const chunks{1, samples.size()};
    std::vector<evaluation> results;
    machine_.for_each(1, [&](std::size_t, std::size_t) {
      for (std::size_t c = 0; c < chunks.per_model(); ++c)
        results.push_back(worker_->score(
            stored_row<T>(x), nullptr, test,
            std::span<std::uint32_t const>(samples).subspan(chunks.first(c), chunks.count(c))));
    });
    return chunks.add(results).front();
  }

 private:
  operation training(std::uint64_t step) const {
    return {
        0, self_, {{0}}, work::train{.share = self_, .batch = static_cast<std::uint32_t>(step)}};
  }

  /// On the background thread; the backend's loop flushes denormals and keeps BLAS to one thread.
  double compute(std::uint64_t step) {
    gradient_task<T> const task{self_, step, stored_row<T>(taken_at_.data())};
    gradient_result result{};
    machine_.for_each(1, [&](std::size_t, std::size_t) { worker_->compute({&task, 1}, &result); });
    double const loss = result.loss;
    if (!std::isfinite(loss))
      throw diverged(
          training_place(training(step)) + ": the loss is " + detail::rounded_text(loss) + ": " +
          model_in_words(extreme_of(std::span<T const>(taken_at_.data(), taken_at_.size()))));
    return loss;
  }

  column_range<T> columns(T *parameters, std::size_t first, std::size_t last) const {
    column_range<T> range{first, last, parameters, {}};
    for (std::size_t s = 1; s < rows_.size().slots(); ++s) range.rows[s - 1] = own_.row(s, 0);
    return range;
  }

  /// A tile at a time, so that its sums before and after cost no way to memory.
  template <class Rate, class Move>
  void advance(Rate rate, Move move) {
    constexpr std::size_t tile = 4096;
    flushed_denormals const guard;
    recorded_.resume();
    auto const [loss, seconds] = background_->take();
    auto const scale = arithmetic_.scale(rate(counted_.iterations), counted_.iterations + 1);
    auto const sum_of = [](std::span<T> x) { return lane_sum(x, [](double v) { return v; }); };
    for (std::size_t first = 0; first < row().size(); first += tile) {
      std::size_t const last = std::min(first + tile, row().size());
      auto const counted = exchanged().subspan(std::min(first, mixed_),
                                               std::min(last, mixed_) - std::min(first, mixed_));
      double const before = sum_of(counted);
      move(scale, first, last);
      counted_.moved += sum_of(counted) - before;
    }
    counted_.trained(loss, seconds, changes_);
    recorded_.applied();
  }

  /// In double, in fixed lanes: as fast as memory and the same for everybody.
  template <class F>
  static double lane_sum(std::span<T> x, F f) {
    constexpr std::size_t lanes = 32;
    double lane[lanes] = {};
    std::size_t c = 0;
    for (; c + lanes <= x.size(); c += lanes)
      for (std::size_t l = 0; l < lanes; ++l) lane[l] += f(static_cast<double>(x[c + l]));
    for (std::size_t l = 0; c < x.size(); ++c, ++l) lane[l] += f(static_cast<double>(x[c]));
    double sum = 0;
    for (double const part : lane) sum += part;
    return sum;
  }

  host_machine<T> machine_;
  row_arithmetic<T> arithmetic_;
  std::size_t mixed_;
  node self_;
  std::size_t d_;  // numbers of a row
  fleet<T, host_buffer> rows_;
  leased_rows<T> own_{
      rows_.whole(changed_slots(fleet_size::every_slot), 0)};  // one row, at hand for its life
  host_buffer<T> taken_at_;  // (d) the model of the gradient under way
  std::unique_ptr<model_worker<T>> worker_;
  std::uint64_t changes_ = 0;
  metrics counted_;
  recording recorded_;
  std::unique_ptr<background_gradient> background_;  // last: its thread uses the others
};

}  // namespace gossip::live
