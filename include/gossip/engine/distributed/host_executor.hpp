// One rank's share of a network on the host: its rows, and what is done with them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/engine/distributed/program.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/engine/host/levelled.hpp>
#include <gossip/engine/host/messages.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/transport/communication_report.hpp>

namespace gossip {

/// Executor of distributed_engine's tasks on the host. Trainings go to a levelled_engine of the own
/// nodes, and all work is done when a function returns.
template <class T, class Row, class Ranks>
class host_executor {
  using local_engine = levelled_engine<T, Row>;

 public:
  using types = host_types<T, Row>;
  using inputs = host_inputs<T, Row>;
  using ranks_type = Ranks;
  using fleet_type = typename types::fleet_type;
  using host_fleet = fleet_type;

  /// Layout and ranks outlive it; the fleet holds the rows of the layout's own nodes.
  host_executor(inputs const &p, rank_layout const &layout, Ranks const &ranks,
                halo_staging const &staging)
      : local_(p),
        rows_(p.rows),
        layout_(layout),
        ranks_(ranks),
        messages_(p.rows, ranks, p.columns.exchanged),
        program_(p, layout, ranks, local_, staging) {}

  /// nodes: as many rows as a rank has and needs.
  static std::size_t working_bytes(host_model<T> const &model, host_machine<T> const &machine,
                                   std::size_t nodes, std::size_t batch, bool shared,
                                   std::size_t trained) {
    return local_engine::working_bytes(model, machine, nodes, batch, shared, trained);
  }

  auto &messages() { return messages_; }

  /// The rows that a mixture needs to be there, or null where it brings them itself.
  halo_pattern const *halo(mixing_matrix const &w) {
    local_matrix<T> const &mixture = program_.mixing().of(w);
    return mixture.form == halo_form::whole ? &mixture.halo : nullptr;
  }

  /// Before a window with so many trainings of this rank, and after it.
  void begin(plan_window const &window, std::size_t) {
    program_.begin(window);
    local_.foresee(window, [this](node i) { return layout_.owns(i); });
  }
  /// A window that was executed before.
  void pass_over(plan_window const &window) { program_.take_functions(window); }
  static constexpr void settle() {}
  /// Nothing is at work between calls.
  static constexpr bool idle() { return true; }

  /// Number of ready trainings to begin now: as many as take about as long as a message may wait to
  /// be noticed; where rows are read from a store some leases of them, of which only the first has
  /// to be waited for.
  std::size_t at_once(std::size_t ready) const {
    auto const fits = static_cast<std::size_t>(patience / std::max(training_seconds_, 1e-7));
    std::size_t const noticed = std::max<std::size_t>(1, fits) * local_.host_loops().workers();
    std::size_t const taken = local_.tasks_at_once();
    std::size_t const leased = rows_.in_memory() ? 1 : leases_at_once * rows_.parts().owners;
    return std::min(ready, std::max({noticed, taken, leased}));
  }

  /// Whether row operations wait until there are no trainings to do: where rows come from a store
  /// in columns of all rows, many at a time cost what one does.
  bool gathers_operations() const { return !rows_.in_memory() && !rows_.prefers_owners(); }

  void train(std::span<operation const> trainings) {
    std::size_t const workers = local_.host_loops().workers();
    auto const begin = std::chrono::steady_clock::now();
    run_local(trainings);
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    training_seconds_ =
        taken.count() / static_cast<double>((trainings.size() + workers - 1) / workers);
  }

  /// Row operations and at most one mixture, see rank_batch.
  template <class Borrowed>
  void run(plan_window const &window, task_graph const &dag, std::span<std::uint32_t const> batch,
           Borrowed borrowed) {
    program_.run(window, dag, batch, borrowed);
  }

  /// On all ranks at once; waits(f): runs what may have to wait for others.
  template <class Waits>
  void reduce(operation const &o, Waits waits) {
    auto const sums = local_.gathered_sums();
    waits([&] { ranks_.all_reduce_sum(sums); });
    local_.scaling().merge_over_ranks(ranks_);
    run_local({&o, 1});
  }

  template <class Waits>
  void sum(operation const &o, plan_window const &window, Waits waits) {
    local_.sum(
        o, window, [&](node i) { return layout_.owns(i); },
        [&](std::span<std::int64_t> sums) { waits([&] { ranks_.all_reduce_sum(sums); }); });
  }

  void set_all(std::span<T const> row) { local_.set_all(row); }
  /// Called by all ranks at once: the sums of gradients since the last reduce are added up for
  /// that, and the rank of node 0 keeps them.
  void name_state(state_visitor const &visit) {
    auto const sums = local_.gathered_sums();
    if (sums.empty()) return local_.name_state(visit);
    ranks_.all_reduce_sum(sums);
    local_.scaling().merge_over_ranks(ranks_);
    local_.name_state(visit);
    if (layout_.owns(0)) return;
    std::ranges::fill(sums, 0);
    local_.scaling().forget_gradients();
  }
  loss_record &losses() { return local_.losses(); }
  std::optional<skipped_steps> skipped() const { return local_.scaling().report(ranks_, layout_); }

  auto extreme(node i, std::uint8_t slot) const { return local_.extreme(i, slot); }

  /// Rows in host memory, as they were at bring_rows().
  host_fleet const &host_rows() const { return rows_; }
  host_fleet const &host_rows_of_servers() { return local_.host_rows_of_servers(); }
  static constexpr void bring_rows() {}
  host_machine<T> const &host_loops() const { return local_.host_loops(); }

  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    return local_.evaluate(nodes, extra, test, samples);
  }

  std::uint64_t sent_bytes() const {
    return messages_.sent_bytes() + program_.mixing().sent_bytes();
  }
  /// For which mixtures waited.
  double waiting_seconds() const { return program_.mixing().waiting_seconds(); }
  /// Leaves the report's path of rows as it is: host memory.
  static constexpr void describe(communication_report &) {}

 private:
  void run_local(std::span<operation const> operations) {
    cohort_.clear();
    cohort_.stream.assign(operations.begin(), operations.end());
    for (operation &o : cohort_.stream) o.level = o.kind() == operation_kind::train ? 1 : 0;
    cohort_.sort_levels();
    local_.run(cohort_, [](observation const &) {}, [] { return false; });
  }

  static constexpr double patience = 2e-3;  // seconds
  static constexpr std::size_t leases_at_once = 4;

  local_engine local_;
  fleet_type const &rows_;
  rank_layout const &layout_;
  Ranks const &ranks_;
  host_messages<fleet_type, Ranks> messages_;
  rank_program<T, Ranks, local_engine> program_;
  plan_window cohort_;
  double training_seconds_ = patience;  // a worker and training
};

}  // namespace gossip
