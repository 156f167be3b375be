// Runs a plan level by level on a device: cohorts of k nodes as one batch, light operations as one
// program a column. The serial backend has a device's verbs too, which is how this file is tested.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/host_memory.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/engine/device_mixing.hpp>
#include <gossip/engine/device_outcomes.hpp>
#include <gossip/engine/device_precision.hpp>
#include <gossip/engine/device_program.hpp>
#include <gossip/engine/device_recordings.hpp>
#include <gossip/engine/device_room.hpp>
#include <gossip/engine/device_statistics.hpp>
#include <gossip/engine/device_window.hpp>
#include <gossip/engine/gradient_work.hpp>
#include <gossip/engine/row_program.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/model.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Kernel: the optimizer's arithmetic, a value of device code.
template <class T, class Backend, class Model, class Source, class Kernel,
          class Precision = full_precision, class Row = T>
class device_engine {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  using fleet_type = fleet<Row, Backend::template buffer>;
  using host_fleet = fleet<Row, host_buffer>;

  struct parts {
    Backend backend;
    Model const &model;
    fleet_type const &rows;
    Kernel kernel;
    std::uint64_t seed;
    std::size_t batch;
    std::size_t mixed;         // columns that an exchange works on
    std::size_t reestimation;  // batches that statistics are measured anew on before evaluation
    Source source;
    Precision precision = {};
  };

  explicit device_engine(parts const &p)
      : backend_(p.backend),
        model_(p.model),
        kernel_{p.kernel, Model::parameters},
        source_(p.source),
        seed_(p.seed),
        batch_(p.batch),
        mixed_(p.mixed),
        reestimation_(p.reestimation),
        worker_(p.backend),
        size_(p.rows.size()),
        rows_(device_op::rows_of(p.rows)),
        k_(room::cohort_limit(size_.nodes, p.batch)),
        host_rows_({size_.nodes, size_.parameters, 0, size_.shared}),
        trainings_(size_.nodes),
        precision_(p.precision, size_, k_),
        mixing_(size_.nodes),
        parameters_(k_ * d),
        gradients_(k_ * d),
        workspace_(k_ * room::workspace_stride(p.batch)),
        sums_(size_.shared ? 2 * d : 0),
        loss_(k_),
        failed_(k_),
        correct_(k_),
        keys_(k_),
        window_(p.seed, size_) {
    if constexpr (requires { source_.reserve(k_); }) source_.reserve(k_);
  }

  static std::size_t working_bytes(std::size_t, std::size_t nodes, std::size_t batch, bool shared) {
    return room::bytes(nodes, batch) + device_mixing<T, Row, Backend>::bytes(nodes) +
           (shared ? 2 * d * sizeof(std::int64_t) : 0);
  }

  /// Gives every node the same parameters.
  void set_all(std::span<T const> row) {
    backend_.upload(parameters_.data(), row.data(), d);
    backend_.launch(size_.rows() * d, device_op::spread_row<T, Row>{rows_, parameters_.data(), d});
  }

  template <class Observe, class Stop>
  bool run(plan_window const &window, Observe observe, Stop stop) {
    trained_in_window_ = 0;
    window_.take(backend_, window, kernel_.kernel);
    trainings_.expect(window.by_level().size());
    std::size_t l = 0;
    for (; l < window.levels() && !stop(); ++l) {
      plan_level const level = window.level(l);
      for (auto rest = level.cohort; !rest.empty(); rest = rest.subspan(std::min(k_, rest.size())))
        train(rest.first(std::min(k_, rest.size())));
      cohorts_ += !level.cohort.empty();
      trained_ += level.cohort.size();
      trained_in_window_ += level.cohort.size();
      run_light(level.light, window, observe);
    }
    trainings_.settle(backend_);
    return l == window.levels();
  }

  progress_mark reached(progress_mark const &before, plan_window const &window) const {
    return window.between(before, trained_in_window_);
  }
  loss_record &losses() { return trainings_.losses(); }
  std::optional<skipped_steps> skipped() const { return precision_.skipped(); }
  double mean_cohort() const {
    return static_cast<double>(trained_) / static_cast<double>(std::max<std::size_t>(cohorts_, 1));
  }

  /// The parameters of all nodes in host memory, as they are now.
  host_fleet const &host_rows() {
    backend_.download(host_rows_.parameters(0), rows_.at(0, 0), size_.rows() * rows_.stride);
    return host_rows_;
  }
  serial host_loops() const { return {}; }

  /// Scores of some nodes, and of one more model where given, on samples of a test set.
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    evaluation_chunks const chunks{nodes.size() + (extra ? 1 : 0), samples.size()};
    device_test_samples<Model::sample_major, Backend> source(test, samples, backend_);
    std::vector<evaluation> results(chunks.models * chunks.per_model());
    for (std::size_t begin = 0; begin < chunks.models; begin += k_) {
      std::size_t const k = std::min(k_, chunks.models - begin);
      take_rows(nodes.subspan(begin, std::min(k, nodes.size() - begin)), extra, k);
      scores_.expect(chunks.per_model() * k);
      for (std::size_t c = 0; c < chunks.per_model(); ++c) {
        source.begin_at(chunks.first(c));
        choose(source, k, chunks.count(c));
        scores_.keep(backend_, k, loss_.data(), correct_.data());
      }
      auto const scores = scores_.take(backend_);
      for (std::size_t c = 0; c < chunks.per_model(); ++c)
        for (std::size_t j = 0; j < k; ++j)
          results[(begin + j) * chunks.per_model() + c] = {
              static_cast<double>(scores[c * k + j].count), scores[c * k + j].loss};
    }
    return chunks.add(results);
  }

 private:
  static constexpr std::size_t d = row_length<Model>;
  using room = device_room<T, Model, typename Backend::worker>;

  exact_sum sums() const { return {sums_.data(), sums_.data() + d}; }

  /// The models of nodes, and `extra` behind them where k is one more, to parameters_.
  void take_rows(std::span<std::uint32_t const> nodes, T const *extra, std::size_t k) {
    keys_.take(backend_, nodes, std::vector<std::uint64_t>(nodes.size()));
    gather(nodes.size());
    if (nodes.size() < k) backend_.upload(parameters_.data() + nodes.size() * d, extra, d);
    if (reestimation_ == 0) return;
    std::vector<node const *> owners(k, nullptr);
    for (std::size_t j = 0; j < nodes.size(); ++j) owners[j] = &nodes[j];
    measure_anew(backend_, model_, worker_, task_over(k), keys_, parameters_.data(), reestimation_,
                 size_.nodes, owners);
  }

  /// Gradients of up to k_ nodes as one batch, absorbed into their rows or the network's sum.
  void train(std::span<operation const> cohort) {
    std::size_t const k = cohort.size();
    auto const there = precision_.trained_at(backend_, window_, cohort, kernel_.kernel);
    keys_.take(backend_, cohort, there.operations);
    auto const task = task_over(k);
    prepare_batches(task);
    if constexpr (Model::learns_from_samples)
      recordings_.run(backend_, k, [&] { compute(task); });
    else
      compute(task);
    if (size_.shared)
      backend_.launch(d, device_op::add_gradients<T>{gradients_.data(), k, d, sums(),
                                                     failed_.data(), precision_.left_out()});
    else
      backend_.launch(k * d, device_op::absorb<T, Row, Kernel>{
                                 rows_, kernel_, there.operations, there.scales, there.writes,
                                 gradients_.data(), d, precision_.left_out()});
    trainings_.keep(backend_, cohort, loss_.data(), failed_.data());
    if constexpr (Precision::scales_loss) {  // what follows depends on the values
      trainings_.settle(backend_);
      precision_.look(backend_, cohort);
    }
  }

  /// Launches that depend on a task's k alone.
  void compute(training_task<T, Source> const &task) {
    gather(task.k);
    precision_.round_parameters(backend_, task.k, parameters_.data(), d, Model::parameters);
    auto &&worker = precision_.worker(worker_);
    model_.gradient(worker, task);
    precision_.round_gradients(backend_, task.k, gradients_.data(), d, Model::parameters);
  }

  /// The models of the first k nodes of keys_, to parameters_.
  void gather(std::size_t k) {
    node const *const nodes = keys_.there(seed_).nodes;
    backend_.launch(k * d, device_op::gather_rows<T, Row>{rows_, nodes, parameters_.data(), d});
  }

  /// Of the first k rows in parameters_, which are those of keys_.
  training_task<T, Source> task_over(std::size_t k) {
    return {k,
            batch_,
            seed_,
            keys_.nodes(),
            keys_.steps(),
            {parameters_.data(), d},
            {gradients_.data(), d},
            {workspace_.data(), room::workspace_stride(batch_)},
            {loss_.data(), 1},
            source_,
            precision_.loss_scales(),
            keys_.there(seed_)};
  }

  /// Cuts the light operations where observers look or matrices mix.
  template <class Observe>
  void run_light(std::span<operation const> light, plan_window const &window, Observe &observe) {
    auto const alone = [](operation const &o) {
      return o.kind == operation_kind::observe || o.kind == operation_kind::mix;
    };
    while (!light.empty()) {
      auto const end = std::find_if(light.begin(), light.end(), alone);
      auto const count = static_cast<std::size_t>(end - light.begin());
      if (count > 0) run_columns(light.first(count));
      if (end != light.end()) {
        if (end->kind == operation_kind::observe) {
          trainings_.settle(backend_);
          observe(window.observations[end->count]);
        } else {
          mixing_.run(backend_, matrices_.of(*window.matrices[end->count]), rows_, mixed_,
                      window_.mixed_by(*end));
        }
      }
      light = light.subspan(std::min(count + 1, light.size()));
    }
  }

  void run_columns(std::span<operation const> operations) {
    auto const there = precision_.taken(backend_, window_, operations, kernel_.kernel, sums(), d);
    backend_.launch(d, device_op::run_program<T, Row, Kernel>{
                           rows_, kernel_, there.operations, there.scales, there.writes,
                           there.count, sums(), size_.nodes, mixed_});
  }

  template <class Samples>
  void choose(Samples &source, std::size_t k, std::size_t count) {
    model_.choose(worker_,
                  evaluation_task<T, Samples>{k,
                                              count,
                                              {parameters_.data(), d},
                                              {},
                                              {workspace_.data(), room::workspace_stride(batch_)},
                                              {loss_.data(), 1},
                                              {correct_.data(), 1},
                                              source});
  }

  Backend backend_;
  Model const &model_;
  device_op::column_kernel<T, Kernel> kernel_;
  Source source_;
  std::uint64_t seed_;
  std::size_t batch_, mixed_, reestimation_;
  typename Backend::worker worker_;
  fleet_size size_;
  device_op::rows<Row> rows_;
  std::size_t k_;  // nodes of a cohort at once
  host_fleet host_rows_;
  device_trainings<Backend> trainings_;
  mixing_cache<T> matrices_;
  device_precision<T, Row, Backend, Kernel, Precision> precision_;
  device_mixing<T, Row, Backend> mixing_;
  buffer<T> parameters_, gradients_;  // (k,d)
  buffer<std::byte> workspace_;
  buffer<std::int64_t> sums_;  // (2,d)
  buffer<double> loss_;        // (k)
  buffer<std::uint32_t> failed_, correct_;
  device_keys<Backend> keys_;  // of the cohort in work
  device_window<T, Row, Backend, Kernel> window_;
  device_recordings<Backend> recordings_;
  device_outcomes<Backend> scores_;
  std::size_t cohorts_ = 0, trained_ = 0, trained_in_window_ = 0;
};

}  // namespace gossip
