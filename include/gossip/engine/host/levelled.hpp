// Runs a plan level by level on the host: a cohort of gradients, one node a thread, then the row
// operations of the level as row programs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/cpu/row_sum.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/cohort_count.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/host/column_tiles.hpp>
#include <gossip/engine/host/network_sum.hpp>
#include <gossip/engine/host/row_program.hpp>
#include <gossip/engine/host/stage_program.hpp>
#include <gossip/engine/loss_record.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/state.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/server_rows.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

/// T: numbers of arithmetic; Row: an element of a row.
template <class T, class Row = T>
class levelled_engine {
 public:
  using types = host_types<T, Row>;
  using inputs = host_inputs<T, Row>;
  static constexpr execution_order order = execution_order::levels;
  using fleet_type = typename types::fleet_type;

  levelled_engine(levelled_engine const &) = delete;
  levelled_engine &operator=(levelled_engine const &) = delete;
  explicit levelled_engine(inputs const &p);

  /// Bytes of working memory beside the fleet, for n rows that are mixed and so many nodes that are
  /// trained.
  static std::size_t working_bytes(host_model<T> const &model, host_machine<T> const &machine,
                                   std::size_t nodes, std::size_t batch, bool shared,
                                   std::size_t trained);

  /// Executes a window. observe(observation) is called where the plan says so, stop() before each
  /// level: true ends the run there. Returns whether the window was completed.
  template <class Observe, class Stop>
  bool run(plan_window const &window, Observe observe, Stop stop) {
    trained_in_window_ = 0;
    functions_.take(window.functions);
    stages_.begin(window);
    matrices_.begin(window);
    if (rows_.places().empty()) foresee(window, [](node) { return true; });
    for (std::size_t l = 0; l < window.levels(); ++l) {
      if (stop()) return false;
      plan_level const level = window.level(l);
      if (!level.cohort.empty()) {
        train(level.cohort, level.row_operations);
        cohorts_.add(level.cohort.size());
        trained_in_window_ += level.cohort.size();
      }
      for (auto rest = level.row_operations; !rest.empty();) {
        auto const program = first_program(rest);
        rest = rest.subspan(program.size());
        bool const ends_level = rest.empty() && l + 1 < window.levels();
        if (!program.empty())
          run_program(program, window, ends_level ? window.level(l + 1).cohort : none);
        if (rest.empty()) break;
        if (rest.front().kind() == operation_kind::sum)
          sum(rest.front(), window, [](node) { return true; }, [](std::span<std::int64_t>) {});
        else
          observe(window.observations[rest.front().observe().observation]);
        rest = rest.subspan(1);
      }
      stages_.run(machine_, level.last, window, writes_);
    }
    return true;
  }

  /// Tells where rows come from in which order a window needs them; owns(i): whether the rows of
  /// owner i are here. A rank, whose engine gets windows of few trainings, does so for its own.
  template <class Owns>
  void foresee(plan_window const &window, Owns owns) {
    if (rows_.in_memory()) return;
    list_planned_owners(window, rows_.prefers_owners(), owns, planned_);
    rows_.foresee(planned_);
  }

  /// Progress of the run within a window that began at `before`, by its share of trainings.
  progress_mark reached(progress_mark const &before, plan_window const &window) const {
    return window.between(before, trained_in_window_);
  }

  /// Counts a window that was executed before the state that is given to this engine.
  void pass_over(plan_window const &window) {
    functions_.take(window.functions);
    cohorts_.pass_over(window);
  }

  /// Of an engine between windows: all that its next windows depend on.
  void name_state(state_visitor const &visit);

  loss_record &losses() { return losses_; }
  /// Of a run in fp16: the steps that were left out.
  std::optional<skipped_steps> skipped() const { return scaling_.report(); }
  /// Loss scales by the values of gradients, and counts of writes; ranks run row operations apart.
  loss_scaling<T> &scaling() { return scaling_; }
  loss_scaling<T> const &scaling() const { return scaling_; }
  row_writes<Row, T> &writes() { return writes_; }
  double mean_cohort() const { return cohorts_.mean(); }
  /// Number of trainings that all workers take at once.
  std::size_t tasks_at_once() const { return tasks_.size(); }
  /// The sums of all workers' gradients since the last reduce, (2, d) in the parts of
  /// reproducible_sum, all of them in one place: so that ranks can add theirs. Empty where nodes
  /// have rows of their own.
  std::span<std::int64_t> gathered_sums();

  /// See network_sum.
  template <class Owns, class Together>
  void sum(operation const &o, plan_window const &window, Owns owns, Together together) {
    rows_sum_.run(machine_, o, window, writes_, owns, together);
  }

  /// Gives every node the same parameters.
  void set_all(std::span<T const> row) { start_all(rows_, machine_, row); }

  /// The parameters of all nodes in host memory, and what runs loops over them.
  fleet_type const &host_rows() const { return rows_; }
  /// Of servers, as they are now.
  fleet_type const &host_rows_of_servers() { return servers_.copied_from(rows_); }
  host_machine<T> const &host_loops() const { return machine_; }
  auto extreme(node i, std::uint8_t slot) const { return extreme_in(rows_, i, slot); }

  /// Scores of some nodes, and of one more model where given, on samples of a test set.
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples);

 private:
  /// rows: of the nodes, if any.
  std::vector<evaluation> evaluate_together(leased_rows<Row> const *rows,
                                            std::span<std::uint32_t const> nodes, T const *extra,
                                            dataset const &test,
                                            std::span<std::uint32_t const> samples);

  /// Numbers of a tile that mixing copies aside at a time.
  static std::size_t tile_scratch(host_machine<T> const &machine, std::size_t nodes) {
    return nodes * std::min(tile_columns, machine.columns_at_once());
  }

  /// f(worker number, batch): one batch a core, or one after another by all cores where the model
  /// can share a batch and there are fewer batches than cores, or room for one only.
  template <class F>
  void each_batch(std::size_t count, F f) {
    std::size_t const cores = machine_.workers();
    bool const share = workers_.size() < cores || (model_.shares_batches() && count < cores);
    for (auto const &one : workers_) one->use_cores(share ? cores : 1);
    if (!share) return machine_.for_each(count, f);
    for (std::size_t b = 0; b < count; ++b)
      machine_.for_each(1, [&](std::size_t, std::size_t) { f(std::size_t{0}, b); });
  }

  /// following: the row operations behind these trainings.
  void train(std::span<operation const> cohort, std::span<operation const> following);

  void train_together(leased_rows<Row> const &rows, std::span<operation const> cohort);

  /// Names the rows that worker w needs after the gradient of training k: the node's optimizer
  /// rows, and the model that is likely its next; in the reverse order of need.
  void expect_rows(leased_rows<Row> const &rows, std::size_t w, std::span<operation const> cohort,
                   std::size_t k);

  bool absorb(leased_rows<Row> const &rows, std::size_t w, operation const &o, bool finite,
              T const *gradient);

  reproducible_sum sum_of(std::size_t w) const { return {sums_[w].data(), sums_[w].data() + d_}; }

  /// following: the trainings behind these operations.
  void run_program(std::span<operation const> operations, plan_window const &window,
                   std::span<operation const> following);

  static constexpr bool widens = !std::is_same_v<Row, T>;
  static constexpr std::span<operation const> none{};

  host_machine<T> machine_;
  host_model<T> const &model_;
  std::size_t d_;  // numbers of a row
  fleet_type const &rows_;
  server_rows<fleet_type> servers_;
  row_arithmetic<T> arithmetic_;
  function_tables<T> functions_;
  row_program<T, Row> program_;
  stage_program<T, fleet_type> stages_;
  network_sum<T, fleet_type> rows_sum_;
  mixing_cache<T> matrices_;
  std::size_t reestimation_;
  loss_record losses_;
  loss_scaling<T> scaling_;
  row_writes<Row, T> writes_;
  std::vector<node> planned_;  // owners in the order in which a window needs their rows
  std::vector<gradient_result> cohort_results_;  // (k) of the cohort in work, at most (n)
  std::vector<std::unique_ptr<model_worker<T>>> workers_;
  std::vector<gradient_task<T>> tasks_;  // (workers, tasks_at_once)
  std::vector<host_buffer<T>> scratch_;
  std::vector<host_buffer<std::int64_t>> sums_;
  cohort_count cohorts_;
  std::size_t trained_in_window_ = 0;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/host/detail/levelled.ipp>
#endif
