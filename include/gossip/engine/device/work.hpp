// A device's work on the rows of its nodes: training of cohorts of k nodes as one batch, row
// operations on every column, scores of models. No function waits unless it says so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gossip/data/device_test_sets.hpp>
#include <gossip/engine/device/cohort.hpp>
#include <gossip/engine/device/cohort_memory.hpp>
#include <gossip/engine/device/inputs.hpp>
#include <gossip/engine/device/loss_scaling.hpp>
#include <gossip/engine/device/model.hpp>
#include <gossip/engine/device/outcomes.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/row_operations.hpp>
#include <gossip/engine/device/rows.hpp>
#include <gossip/engine/device/stages.hpp>
#include <gossip/engine/device/window.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/model/batch_owners.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

/// Types: engine_types of a device. The fleet holds all nodes or those of one rank.
template <class Types>
class device_work {
  using T = typename Types::number;
  using Row = typename Types::storage;
  using Backend = typename Types::backend;
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  using fleet_type = typename Types::fleet_type;
  using host_rows_type = device_rows<Row, Backend>;
  using model_type = device_model<T, Backend>;
  using functions_type = typename engine_inputs<Types>::functions_type;

  explicit device_work(engine_inputs<Types> const &p)
      : backend_(p.backend),
        functions_(p.functions),
        columns_(p.columns),
        reestimation_(p.reestimation),
        fleet_(p.rows),
        size_(p.rows.size()),
        places_(p.rows.places().size()),
        leased_(p.rows.columns(changed_slots(fleet_size::every_slot), 0, size_.parameters)),
        rows_(device_op::rows_of(leased_, places_.data())),
        cohort_(p.model.cohort({p.backend, p.samples, std::make_shared<uploaded_sets<Backend>>(),
                                p.seed, p.batch,
                                p.model.memory(p.batch).most(cohort_memory::held(size_))})),
        host_rows_(p.backend, rows_.row(0, 0), size_, p.rows.places()),
        trainings_(size_),
        scaling_(p.model.scaling(), size_),
        sums_(size_.shared ? 2 * size_.parameters : 0),
        failed_(cohort_->most()),
        taken_(p.seed, size_),
        stages_(p.backend, p.model.outline().tensors) {
    backend_.upload(places_.data(), p.rows.places().data(), places_.size());
  }

  /// Bytes of device memory beside rows, for a number of nodes and samples of a gradient.
  static std::size_t working_bytes(model_type const &model, std::size_t nodes, std::size_t batch,
                                   bool shared) {
    std::size_t const sums = 2 * model.outline().row_length() * sizeof(std::int64_t);
    return model.memory(batch).bytes(nodes) + (shared ? sums : 0);
  }

  Backend const &backend() const { return backend_; }
  functions_type const &functions() const { return functions_; }
  device_op::rows<Row> const &rows() const { return rows_; }
  fleet_type const &fleet_of_rows() const { return fleet_; }
  auto &writes() { return taken_.writes(); }
  fleet_size const &size() const { return size_; }
  /// The end of the columns that an operation uses.
  std::size_t end_of(operation const &o) const { return end_of_columns(o, columns_); }

  /// Gives every node the same parameters.
  void set_all(std::span<T const> row) {
    std::size_t const d = size_.parameters;
    backend_.upload(cohort_->parameters(), row.data(), d);
    backend_.launch(size_.rows_of_models() * d,
                    device_op::spread_row<T, Row>{rows_, cohort_->parameters(), d});
  }

  /// Room for a window's scalars and the losses of so many trainings; all before must be settled.
  void begin(plan_window const &window, std::size_t trainings) {
    stages_.begin(backend_, window);
    trainings_.expect(trainings);
  }

  /// Operations that are to be executed, in any parts; they stay where they are until the next.
  void take(std::span<operation const> operations, std::span<double const> coefficients = {}) {
    taken_.take(backend_, operations, coefficients, functions_);
  }
  std::span<row_write const> mixed_by(operation const &mix) const { return taken_.mixed_by(mix); }

  /// Trainings of those taken, which do not depend on each other.
  void train(std::span<operation const> cohort) {
    for (auto rest = cohort; !rest.empty();
         rest = rest.subspan(std::min(cohort_->most(), rest.size())))
      train_together(rest.first(std::min(cohort_->most(), rest.size())));
  }

  /// Row operations of those taken, without mixtures.
  void run(std::span<operation const> operations) {
    if (operations.empty()) return;
    std::size_t const d = size_.parameters;
    auto const there = scaling_.taken(backend_, taken_, operations, functions_, sums(), d);
    functions_.run(
        backend_, d,
        {rows_, there, stages_.beside(taken_.coefficients()), sums(), size_.nodes,
         columns_.exchanged, op::divisor(d), row_operations_.parts(operations, there.count)});
  }

  /// Operations of those taken that end a stage and do not depend on each other.
  void end_stage(std::span<operation const> operations) {
    if (!operations.empty())
      stages_.run(backend_, functions_, rows_, operations, taken_(operations));
  }

  /// Waits for all trainings. Throws gossip::error at the first that has no finite loss.
  void settle() { trainings_.settle(backend_); }
  loss_record &losses() { return trainings_.losses(); }

  /// The sums of gradients since the last reduce, (2,d) in device memory; (0) where nodes have rows
  /// of their own.
  buffer<std::int64_t> const &gathered_sums() const { return sums_; }
  loss_scaling<T> &scaling() { return scaling_.state(); }
  loss_scaling<T> const &scaling() const { return scaling_.state(); }

  /// The parameters of all nodes as the host sees them; to be renewed when they have changed.
  host_rows_type &host_rows() { return host_rows_; }
  host_rows_type const &host_rows_of_servers() {
    return host_servers_.now(backend_, rows_.row(0, size_.rows()), size_);
  }

  /// Scores of some nodes, and of one more model where given, on samples of a test set.
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    evaluation_chunks const chunks{nodes.size() + (extra ? 1 : 0), samples.size()};
    cohort_->choose(test, samples);
    std::vector<evaluation> results(chunks.models * chunks.per_model());
    for (std::size_t begin = 0; begin < chunks.models; begin += cohort_->most()) {
      std::size_t const k = std::min(cohort_->most(), chunks.models - begin);
      take_rows(nodes.subspan(begin, std::min(k, nodes.size() - begin)), extra, k);
      scores_.expect(chunks.per_model() * k);
      for (std::size_t c = 0; c < chunks.per_model(); ++c) {
        cohort_->score(k, chunks.first(c), chunks.count(c));
        scores_.keep(backend_, k, cohort_->losses(), cohort_->correct());
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
  reproducible_sum sums() const { return {sums_.data(), sums_.data() + size_.parameters}; }

  /// The models of nodes, and `extra` behind them where k is one more, to those of the cohort.
  void take_rows(std::span<std::uint32_t const> nodes, T const *extra, std::size_t k) {
    std::size_t const d = size_.parameters;
    cohort_->keys().take(backend_, nodes, std::vector<std::uint64_t>(nodes.size()));
    gather(nodes.size());
    if (nodes.size() < k) backend_.upload(cohort_->parameters() + nodes.size() * d, extra, d);
    if (reestimation_ == 0) return;
    std::vector<std::vector<node>> owners(k);
    for (std::size_t j = 0; j < k; ++j)
      owners[j] =
          owners_of_batches(reestimation_, size_.nodes, j < nodes.size() ? &nodes[j] : nullptr);
    cohort_->measure(k, owners);
  }

  /// Gradients of one batch of nodes, as many as the cohort holds at most, absorbed into the rows
  /// of the nodes or into the network's sum.
  void train_together(std::span<operation const> cohort) {
    std::size_t const k = cohort.size(), d = size_.parameters;
    auto &scales = cohort_->loss_scales();
    auto const there = scaling_.trained_at(backend_, taken_, cohort, functions_, scales);
    cohort_->keys().take(backend_, cohort, there.operations);
    cohort_->compute(k, [&] { gather(k); });
    if (size_.shared)
      backend_.launch(d, device_op::add_gradients<T>{cohort_->gradients(), k, d, sums(),
                                                     failed_.data(), scales.marks()});
    else
      functions_.absorb(backend_, k, d,
                        {rows_, there, cohort_->gradients(), op::divisor(d), scales.marks()});
    trainings_.keep(backend_, cohort, cohort_->losses(), failed_.data());
    if (scales.scales()) {  // later operations depend on the values
      trainings_.settle(backend_);
      scaling_.look_at(backend_, cohort, scales);
    }
  }

  /// The models of the first k nodes of the cohort's keys, to its parameters.
  void gather(std::size_t k) {
    std::size_t const d = size_.parameters;
    backend_.launch(k * d, device_op::gather_rows<T, Row>{rows_, cohort_->keys().device_owners(),
                                                          cohort_->keys().device_slots(),
                                                          cohort_->parameters(), op::divisor(d)});
  }

  Backend backend_;
  functions_type const &functions_;
  column_counts columns_;
  std::size_t reestimation_;
  fleet_type const &fleet_;
  fleet_size size_;
  buffer<std::uint32_t> places_;  // (owners + borrowed), or empty where node i has row i
  leased_rows<Row> leased_;       // for the run: kernels run on behind the calls that launch them
  device_op::rows<Row> rows_;
  std::unique_ptr<device_cohort<T, Backend>> cohort_;
  host_rows_type host_rows_;
  device_rows_of_servers<Row, Backend> host_servers_;
  device_trainings<Backend> trainings_;
  device_loss_scaling<T, Row, Backend> scaling_;
  buffer<std::int64_t> sums_;     // (2,d)
  buffer<std::uint32_t> failed_;  // (k) of the cohort in work
  device_window<T, Row, Backend> taken_;
  device_row_operations row_operations_{size_};
  device_stages<T, Row, Backend> stages_;
  device_outcomes<Backend> scores_;
};

}  // namespace gossip
