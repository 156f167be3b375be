// The sequential reference engine, which the levelled engine must equal bit by bit: the stream as
// it was planned, one operation at a time over whole rows, nothing batched and no tiles; only a
// step that the planner put into its training runs with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/column_access.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/host/reference_stages.hpp>
#include <gossip/engine/loss_record.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/engine/state.hpp>
#include <gossip/engine/sum_terms.hpp>
#include <gossip/engine/training_place.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/server_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/mixing/cast_weights.hpp>
#include <gossip/model/batch_owners.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

/// T: numbers of arithmetic; Row: an element of a row.
template <class T, class Row = T>
class reference_engine {
 public:
  using types = host_types<T, Row>;
  using inputs = host_inputs<T, Row>;
  static constexpr execution_order order = execution_order::stream;
  using fleet_type = typename types::fleet_type;

  reference_engine(reference_engine const &) = delete;
  reference_engine &operator=(reference_engine const &) = delete;
  explicit reference_engine(inputs const &p)
      : machine_(p.machine),
        statistics_(p.model.outline().statistics),
        d_(p.model.outline().row_length()),
        rows_(p.rows),
        arithmetic_(p.arithmetic),
        columns_(p.columns),
        reestimation_(p.reestimation),
        losses_(p.rows.size()),
        scaling_(p.model.scaling(), p.rows.size()),
        writes_(p.seed, p.rows.size()),
        stages_(p.rows, p.model.outline().tensors, functions_),
        worker_(p.model.worker({.samples = p.samples,
                                .seed = p.seed,
                                .batch = p.batch,
                                .widens = widens,
                                .test_bytes = p.test_bytes})),
        coarse_(p.rows.size().shared ? d_ : 0),
        fine_(coarse_.size()) {}

  static std::size_t working_bytes(host_model<T> const &model, host_machine<T> const &,
                                   std::size_t nodes, std::size_t batch, bool, std::size_t) {
    return model.team_bytes({.batch = batch, .widens = widens}, 1) +
           2 * nodes * model.outline().row_length() * sizeof(T);
  }

  template <class Observe, class Stop>
  bool run(plan_window const &window, Observe observe, Stop stop) {
    trained_in_window_ = 0;
    functions_.take(window.functions);
    stages_.begin(window);
    for (operation const &o : window.stream) {
      if (stop()) return false;
      if (o.kind() == operation_kind::observe)
        observe(window.observations[o.observe().observation]);
      else
        machine_.for_each(1, [&](std::size_t, std::size_t) { execute(o, window); });
    }
    return true;
  }

  progress_mark reached(progress_mark const &before, plan_window const &window) const {
    return window.between(before, trained_in_window_);
  }

  /// A window that was executed before the state that is given to this engine.
  void pass_over(plan_window const &window) { functions_.take(window.functions); }

  void name_state(state_visitor const &visit) {
    name_engine_state(visit, rows_, host_row_copies{machine_}, losses_, scaling_, writes_);
    name_sums(visit, coarse_, fine_);
  }

  loss_record &losses() { return losses_; }
  /// Of a run in fp16: the steps that were left out.
  std::optional<skipped_steps> skipped() const { return scaling_.report(); }
  double mean_cohort() const { return 1.0; }
  /// Gives every node the same parameters.
  void set_all(std::span<T const> row) { start_all(rows_, machine_, row); }

  /// The parameters of all nodes in host memory, and what runs loops over them.
  fleet_type const &host_rows() const { return rows_; }
  /// Of servers, as they are now.
  fleet_type const &host_rows_of_servers() { return servers_.copied_from(rows_); }
  host_machine<T> const &host_loops() const { return machine_; }
  auto extreme(node i, std::uint8_t slot) const { return extreme_in(rows_, i, slot); }

  /// One model and one chunk after another.
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    evaluation_chunks const chunks{nodes.size() + (extra ? 1 : 0), samples.size()};
    std::vector<evaluation> results;
    auto const models = rows_.whole(used_slots{1}, nodes);
    for (std::size_t m = 0; m < chunks.models; ++m) {
      auto const x =
          m < nodes.size() ? stored_row<T>(models.row(0, nodes[m])) : stored_row<T>(extra);
      std::vector<T> fresh(reestimation_ > 0 ? statistics_ : 0);
      if (!fresh.empty()) {
        node const *const own = m < nodes.size() ? &nodes[m] : nullptr;
        worker_->measure(x, owners_of_batches(reestimation_, rows_.size().nodes, own),
                         fresh.data());
      }
      for (std::size_t c = 0; c < chunks.per_model(); ++c)
        results.push_back(worker_->score(x, fresh.empty() ? nullptr : fresh.data(), test,
                                         samples.subspan(chunks.first(c), chunks.count(c))));
    }
    return chunks.add(results);
  }

 private:
  void execute(operation const &o, plan_window const &window) {
    switch (o.kind()) {
      case operation_kind::train:
        return train(o);
      case operation_kind::step:
        if (scaling_.steps(o)) step(o);
        return;
      case operation_kind::columns:
        return columns(o, window);
      case operation_kind::mix:
        return mix(o, *window.matrices[o.mix().matrix]);
      case operation_kind::reduce:
        return reduce(o);
      case operation_kind::reduce_rows:
        return stages_.reduce_rows(o);
      case operation_kind::compute:
        return stages_.compute(o, window);
      case operation_kind::whole_rows:
        return stages_.whole_rows(o, window, writes_.next(o.a));
      case operation_kind::sum:
        return sum(o, window);
      case operation_kind::observe:
        return;
    }
  }

  void step(operation const &o) {
    step_columns(rows_used(rows_, o), arithmetic_, o, scale_of(o), 0, d_, writes_.next(o.a));
  }

  void train(operation const &o) {
    ++trained_in_window_;
    auto const rows = rows_used(rows_, o);
    gradient_task<T> const task{o.train().share, o.train().batch,
                                stored_row<T>(rows.row(o.slot(), o.a)), scaling_.scale(o.a)};
    gradient_result result{};
    worker_->compute({&task, 1}, &result);
    auto const [loss, finite] = result;
    bool const goes_on = losses_.take(o, loss);
    bool const sums = !rows_.size().shared || !finite ||
                      reproducible_sum(coarse_.data(), fine_.data()).add(worker_->gradient(), d_);
    if (!goes_on || !sums) refuse_loss(o, loss);
    if (!rows_.size().shared && finite)
      take_gradient(rows, arithmetic_, o, scale_of(o), worker_->gradient(), d_, writes_.next(o.a));
    scaling_.trained(o, finite);
  }

  /// The factors of the node's step, which all columns share.
  auto scale_of(operation const &o) const {
    return arithmetic_.scale(o.rate(), scaling_.number(o));
  }

  /// One column after another, of whole rows.
  void columns(operation const &o, plan_window const &window) {
    column_kernel<T> const &function = functions_.columns[o.columns().function];
    std::vector<T> c;
    for (std::size_t k = 0; k < function.coefficients; ++k)
      c.push_back(static_cast<T>(window.coefficient_of(o.columns(), k, stages_.scalars())));
    row_write const a = o.rows.writes_first() ? writes_.next(o.a) : row_write{};
    row_write const b = o.rows.writes_second() ? writes_.next(o.b()) : row_write{};
    std::size_t const first = o.first_column(), last = end_of_columns(o, columns_);
    on_rows<T>(rows_used(rows_, o), o, first, last, a, &b, [&](T *const *rows, std::size_t count) {
      T column[most_rows];
      for (std::size_t at = 0; at < count; ++at) {
        for (std::size_t k = 0; k < o.rows.size(); ++k)
          if (o.rows[k].reads) column[k] = rows[k][at];
        function.one(c.data(), column);
        for (std::size_t k = 0; k < o.rows.size(); ++k)
          if (o.rows[k].writes) rows[k][at] = column[k];
      }
    });
  }

  /// A column after another, over all terms.
  void sum(operation const &o, plan_window const &window) {
    std::size_t const first = o.first_column(), d = end_of_columns(o, columns_);
    auto const rows = rows_used(rows_, o);
    auto const number = [&](node i, std::size_t c) -> double {
      return static_cast<T>(*rows.row(o.rows.slot_of(true), i, c));
    };
    mixed_.resize(d);
    for (std::size_t c = first; c < d; ++c) {
      std::int64_t coarse = 0, fine = 0;
      reproducible_sum const sums(&coarse, &fine);
      each_term(o, window, rows_.size().nodes, [&](node i, double weight) {
        if (!sums.add_value(weight * number(i, c), 0))
          refuse_sum(o, window, rows_.size().nodes, d, number);
      });
      mixed_[c] = static_cast<T>(sums.take_value(0));
    }
    each_writer(o, rows_.size(), [&](node i) {
      put_columns(writes_.next(i), o.slot(), mixed_.data() + first, first, d,
                  rows.row(o.slot(), i));
    });
  }

  /// Out of place, with a second copy of the whole network.
  void mix(operation const &o, mixing_matrix const &w) {
    auto const n = static_cast<node>(rows_.size().nodes);
    std::size_t const first = o.first_column(), d = end_of_columns(o, columns_);
    auto const rows = rows_used(rows_, o);
    mixed_.resize(n * d);
    std::vector<T> const cast = cast_weights<T>(w);
    std::span<T const> weights(cast);
    for (node i = 0; i < n; ++i) {
      std::span<node const> const columns = w.row(i).columns;
      std::span<T const> const own = weights.first(columns.size());
      weights = weights.subspan(columns.size());
      T *const to = mixed_.data() + i * d;
      if (o.mix().function != library_neighborhoods::number_of<op::weighted_sum>) {
        change(rows, o, columns, own, d, to);
        continue;
      }
      for (std::size_t k = 0; k < columns.size(); ++k) {
        T const value = own[k];
        Row const *const from = rows.row(o.slot(), columns[k]);
        for (std::size_t c = first; c < d; ++c)
          to[c] =
              k == 0 ? value * static_cast<T>(from[c]) : to[c] + value * static_cast<T>(from[c]);
      }
    }
    for (node i = 0; i < n; ++i) {
      T const *const from = mixed_.data() + i * d + first;
      put_columns(writes_.next(i), o.slot(), from, first, d, rows.row(o.slot(), i));
    }
  }

  /// to (d) = a function of one node's neighborhood, a column after another.
  void change(leased_rows<Row> const &rows, operation const &o, std::span<node const> columns,
              std::span<T const> weights, std::size_t d, T *to) const {
    std::vector<T> numbers(columns.size());
    std::vector<std::uint32_t> places(columns.size());
    std::iota(places.begin(), places.end(), 0U);
    for (std::size_t c = o.first_column(); c < d; ++c) {
      for (std::size_t k = 0; k < columns.size(); ++k)
        numbers[k] = static_cast<T>(*rows.row(o.slot(), columns[k], c));
      to[c] = functions_.neighborhoods[o.mix().function].one(
          {places.data(), weights.data(), columns.size()}, numbers.data(), 1);
    }
  }

  void reduce(operation const &o) {
    reproducible_sum const sums(coarse_.data(), fine_.data());
    if (!scaling_.steps(o)) return sums.clear(0, d_);
    mixed_.resize(d_);
    for (std::size_t c = 0; c < d_; ++c)
      mixed_[c] = static_cast<T>(sums.take_value(c) / static_cast<double>(rows_.size().nodes));
    auto const scale = scale_of(o);
    on_columns<T>(rows_used(rows_, o), 0, 0, d_, writes_.next(0),
                  [&](auto const &range, std::size_t done) {
                    arithmetic_.absorb_and_step(scale, mixed_.data() + done, range);
                  });
  }

  static constexpr bool widens = !std::is_same_v<Row, T>;

  host_machine<T> machine_;
  std::size_t statistics_, d_;  // numbers of a row that are statistics; all
  fleet_type const &rows_;
  server_rows<fleet_type> servers_;
  row_arithmetic<T> arithmetic_;
  function_tables<T> functions_;
  column_counts columns_;
  std::size_t reestimation_;
  loss_record losses_;
  loss_scaling<T> scaling_;
  row_writes<Row, T> writes_;
  reference_stages<T, fleet_type> stages_;
  std::unique_ptr<model_worker<T>> worker_;
  std::size_t trained_in_window_ = 0;
  std::vector<std::int64_t> coarse_, fine_;
  std::vector<T> mixed_;  // (n,d) during a mix, (d) during a reduce
};

}  // namespace gossip
