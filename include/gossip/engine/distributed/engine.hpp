// Runs one rank's part of a plan: trainings and row operations as soon as what they need is
// there, while rows of other ranks travel. Every rank has the same windows; together they give the
// bits of one process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gossip/data/dataset.hpp>
#include <gossip/engine/distributed/evaluation.hpp>
#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/engine/distributed/models.hpp>
#include <gossip/engine/distributed/send_queue.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/engine/distributed/watch.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/skipped_steps.hpp>

namespace gossip {

/// Executor: host_executor or device_executor, which executes the tasks. Its ranks connect them,
/// see transport/mpi/ranks.hpp.
template <class Executor>
class distributed_engine {
  using T = typename Executor::types::number;
  using Ranks = typename Executor::ranks_type;
  static constexpr std::uint32_t none = rank_task::none;
  static constexpr std::uint32_t of_a_send = 1U << 31;  // a ticket that names a task

 public:
  using fleet_type = typename Executor::fleet_type;
  using rows_type = typename rank_models<Executor>::rows_type;
  using types = typename Executor::types;
  static constexpr execution_order order = execution_order::any;

  /// Layout and ranks outlive it; the fleet holds the rows of the layout's own nodes.
  struct inputs {
    typename Executor::inputs local;
    rank_layout const &layout;
    Ranks const &ranks;
    fleet_size whole;  // of the network
    halo_staging staging;
  };

  explicit distributed_engine(inputs const &p)
      : executor_(p.local, p.layout, p.ranks, p.staging),
        borrowed_(p.local.rows.size().borrowed),
        layout_(p.layout),
        ranks_(p.ranks),
        models_(executor_, layout_, ranks_, p.whole),
        losses_{executor_.losses(), ranks_},
        watch_(layout_, ranks_, p.local.columns.exchanged * sizeof(typename types::storage)),
        dag_(layout_, ranks_.largest_tag()) {}

  /// The bytes for as many rows as a rank has and needs.
  template <class... Arguments>
  static std::size_t working_bytes(Arguments const &...of) {
    return Executor::working_bytes(of...);
  }

  /// The contract of levelled_engine::run, but that the answer of stop() counts from the window
  /// after the next on, since all ranks have to end at the same place; it is asked often.
  template <class Observe, class Stop>
  bool run(plan_window const &window, Observe observe, Stop stop) {
    trained_ = 0;
    if (!watch_.begin(window, stop())) return false;
    watch_.account(rank_watch<Ranks>::planning, [&] { plan(window); });
    while (left_ > 0) {
      bool const moved = poll();
      std::size_t const trainings = trainings_.empty() ? 0 : executor_.at_once(trainings_.size());
      if (!row_operations_.empty() && (trainings == 0 || !executor_.gathers_operations()))
        run_row_operations(window);
      else if (collective_ != none)
        run_collective(window, observe);
      else if (trainings > 0)
        train(trainings), stop();
      else if (!moved && executor_.idle())
        watch_.account(rank_watch<Ranks>::waiting, [&] { wait(); });
      else if (!moved)
        wait();
    }
    executor_.settle();
    return true;
  }
  /// After the last window for now: reads the answers of all ranks about it.
  void end_piece() { watch_.agree(); }
  /// After a failure of run(), before memory is freed that rows are on their way to.
  void failing(std::string const &sentence) const { ranks_.failing(sentence); }

  progress_mark reached(progress_mark const &before, plan_window const &window) const {
    return window.between(before, watch_.of_all(trained_));
  }
  /// Functions of levelled_engine; each rank names what it holds, all at once.
  void pass_over(plan_window const &window) {
    executor_.pass_over(window);
    watch_.pass_over(window);
  }
  void name_state(state_visitor const &visit) {
    watch_.agree();
    executor_.name_state(visit);
  }
  rank_losses<Ranks> &losses() { return losses_; }
  /// Of a run in fp16: the steps that were left out, of all ranks.
  std::optional<skipped_steps> skipped() const { return executor_.skipped(); }
  double mean_cohort() const { return watch_.mean_cohort(); }
  void set_all(std::span<T const> row) { executor_.set_all(row); }

  /// Of a row of this rank.
  std::optional<extreme_number> extreme(node i, std::uint8_t slot) const {
    return layout_.owns(i) ? executor_.extreme(i, slot) : std::nullopt;
  }
  /// Of any row; called by all ranks at once.
  std::optional<extreme_number> extreme_together(node i, std::uint8_t slot) const {
    auto const own = extreme(i, slot).value_or(extreme_number{});
    double both[] = {own.value, static_cast<double>(own.column)};
    ranks_.all_reduce_sum(std::span<double>(both));
    return extreme_number{both[0], static_cast<std::size_t>(both[1])};
  }

  /// Rank 0, which prints and writes.
  bool is_root() const { return rank() == 0; }
  std::size_t rank() const { return layout_.rank(); }
  std::size_t ranks() const { return layout_.ranks(); }
  /// True where `here` is true on a rank. All ranks have to ask, between windows.
  bool any(bool here) const {
    std::vector<double> all{here ? 1.0 : 0.0};
    ranks_.all_reduce_max(all);
    return all[0] > 0;
  }
  /// Brought together from all ranks.
  communication_report traffic(double planner_seconds) const {
    communication_report traffic =
        watch_.traffic(executor_.sent_bytes(), executor_.waiting_seconds(), planner_seconds);
    executor_.describe(traffic);
    return traffic;
  }
  rows_type const &host_rows() {
    watch_.agree();
    return models_.of_nodes();
  }
  rows_type const &host_rows_of_servers() {
    watch_.agree();
    return models_.of_servers();
  }
  auto host_loops() const { return executor_.host_loops(); }
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    return evaluate_on_ranks(layout_, ranks_, nodes, extra, [&](auto const &own, T const *mean) {
      return executor_.evaluate(own, mean, test, samples);
    });
  }

 private:
  void plan(plan_window const &window) {
    dag_.build(window, [&](mixing_matrix const &w) { return executor_.halo(w); });
    executor_.begin(window, static_cast<std::size_t>(std::ranges::count(
                                dag_.tasks, task_kind::train, &rank_task::kind)));
    left_ = dag_.tasks.size();
    sends_.begin(dag_.tasks);
    batches_ = 0;
    next_transfer_ = 0;
    slots_.assign(dag_.transfers.size(), none);
    free_.clear();
    for (auto k = static_cast<std::uint32_t>(borrowed_); k-- > 0;) free_.push_back(k);
    for (std::uint32_t t = 0; t < dag_.tasks.size(); ++t)
      if (dag_.tasks[t].waits == 0) enable(t);
    receive();
    send();
  }

  void enable(std::uint32_t t) {
    rank_task const &task = dag_.tasks[t];
    switch (task.kind) {
      case task_kind::send:
        return sends_.push(t);
      case task_kind::train:
        return trainings_.push(t);
      case task_kind::collective:
        collective_ = t;
        return;
      case task_kind::row:
      case task_kind::mix:
      case task_kind::last:
        row_operations_.push_back(t);
    }
  }

  node borrowed(std::uint32_t transfer) const {
    return static_cast<node>(layout_.all()) + slots_[transfer];
  }

  /// Rows are received in the order in which they are needed, as many as there is room for.
  void receive() {
    while (next_transfer_ < dag_.transfers.size() && !free_.empty()) {
      row_transfer const &in = dag_.transfers[next_transfer_];
      slots_[next_transfer_] = free_.back();
      free_.pop_back();
      executor_.messages().receive(in.source, in.tag, borrowed(next_transfer_), in.slot,
                                   next_transfer_);
      ++next_transfer_;
    }
  }

  /// Rows leave as soon as they are ready and there is room.
  void send() {
    for (std::uint32_t t; (t = sends_.next(executor_.messages().room())) != send_queue::none;) {
      rank_task const &task = dag_.tasks[t];
      executor_.messages().send(task.peer, task.tag, task.what.a, task.what.slot(), t | of_a_send);
    }
  }

  bool poll() {
    send();  // before anything else is begun that a device would do first
    bool const moved = executor_.messages().poll([&](std::uint32_t ticket) { arrived(ticket); });
    send();
    return moved;
  }

  void arrived(std::uint32_t ticket) {
    if (ticket & of_a_send) {
      sends_.end(ticket & ~of_a_send);
      return finish(ticket & ~of_a_send);
    }
    dag_.each_follower(dag_.transfers[ticket], [&](std::uint32_t t) { settle(t); });
  }

  void settle(std::uint32_t t) {
    if (--dag_.tasks[t].waits == 0) enable(t);
  }

  void finish(std::uint32_t t) {
    release(t);
    dag_.each_follower(dag_.tasks[t], [&](std::uint32_t next) { settle(next); });
  }

  void release(std::uint32_t t) {
    --left_;
    rank_task const &task = dag_.tasks[t];
    watch_.done(task, executor_.waiting_seconds());
    for (std::uint32_t k = 0; k < task.arrival_count; ++k) {
      if (--dag_.transfers[task.arrivals + k].users > 0) continue;
      free_.push_back(slots_[task.arrivals + k]);
    }
    if (task.arrival_count > 0) receive();
  }

  /// Row operations that are ready and those that only wait for them, as one program; of mixtures
  /// at most one. Scalars are made and whole rows changed at its end, so what waits for them or
  /// writes what they are made of comes later.
  void run_row_operations(plan_window const &window) {
    std::sort(row_operations_.begin(), row_operations_.end());
    batch_.clear();
    std::swap(batch_, row_operations_);
    deferred_.clear();
    bool mixes = false;
    for (std::uint32_t const t : batch_) mixes |= dag_.tasks[t].kind == task_kind::mix;
    for (std::size_t k = 0; k < batch_.size(); ++k)
      dag_.each_follower(dag_.tasks[batch_[k]], [&](std::uint32_t t) {
        rank_task &task = dag_.tasks[t];
        if (dag_.tasks[batch_[k]].kind == task_kind::last) task.behind = batches_;
        if (--task.waits > 0) return;
        bool const row_operation = task.kind == task_kind::row || task.kind == task_kind::last;
        bool const fits =
            task.behind != batches_ && (row_operation || (task.kind == task_kind::mix && !mixes));
        mixes |= task.kind == task_kind::mix;
        (fits ? batch_ : deferred_).push_back(t);
      });
    ++batches_;
    executor_.run(window, dag_, batch_, [&](std::uint32_t k) { return borrowed(k); });
    for (std::uint32_t const t : batch_) release(t);
    for (std::uint32_t const t : deferred_) enable(t);
  }

  /// So many trainings, the oldest first.
  void train(std::size_t count) {
    cohort_.clear();
    batch_.clear();
    for (std::size_t k = 0; k < count; ++k) {
      batch_.push_back(trainings_.top());
      trainings_.pop();
      cohort_.push_back(dag_.tasks[batch_.back()].what);
    }
    executor_.train(cohort_);
    trained_ += count;
    for (std::uint32_t const t : batch_) finish(t);
  }

  template <class Observe>
  void run_collective(plan_window const &window, Observe &observe) {
    std::uint32_t const t = std::exchange(collective_, none);
    operation const &o = dag_.tasks[t].what;
    if (o.kind() == operation_kind::observe) {
      executor_.settle();
      observe(window.observations[o.observe().observation]);
    } else {
      auto const waits = [&](auto f) { watch_.account(rank_watch<Ranks>::waiting, f); };
      o.kind() == operation_kind::sum ? executor_.sum(o, window, waits)
                                      : executor_.reduce(o, waits);
    }
    finish(t);
  }

  void wait() {
    watch_.look_for_answers();
    if (!poll()) std::this_thread::yield();
  }

  Executor executor_;
  std::size_t borrowed_;
  rank_layout const &layout_;
  Ranks const &ranks_;
  rank_models<Executor> models_;
  rank_losses<Ranks> losses_;
  rank_watch<Ranks> watch_;
  task_graph dag_;

  send_queue sends_;
  std::size_t left_ = 0, trained_ = 0;
  std::uint32_t next_transfer_ = 0, batches_ = 0;
  std::uint32_t collective_ = none;
  std::vector<std::uint32_t> slots_, free_, row_operations_, batch_, deferred_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> trainings_;
  std::vector<operation> cohort_;
};

}  // namespace gossip
