// Runs one rank's part of a plan on the host: trainings and light operations as soon as what they
// need is there, while rows of other ranks travel. Every rank has the same windows; together they
// give the bits of one process.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <gossip/engine/levelled_engine.hpp>
#include <gossip/engine/rank_evaluation.hpp>
#include <gossip/engine/rank_program.hpp>
#include <gossip/engine/rank_schedule.hpp>
#include <gossip/engine/rank_watch.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Ranks: what connects them, see transport/mpi_ranks.hpp.
template <class T, class Backend, class Model, class Source, class Ranks,
          class Precision = full_precision, class Row = T>
class ranked_engine {
  using local_engine = levelled_engine<T, Backend, Model, Source, Precision, Row>;
  using requests = typename Ranks::requests;
  static constexpr std::uint32_t none = rank_task::none;
  static constexpr std::uint32_t of_a_send = 1U << 31;  // a ticket that names a task

 public:
  using fleet_type = typename local_engine::fleet_type;
  using rows_type = ranked_rows<Row, fleet_type, Ranks>;
  using local_parts = typename local_engine::parts;

  /// Layout and ranks outlive it; the fleet holds the rows of the layout's own nodes.
  struct parts {
    local_parts local;
    rank_layout const &layout;
    Ranks const &ranks;
    fleet_size whole;  // of the network
  };

  explicit ranked_engine(parts const &p)
      : local_(p.local),
        backend_(local_.host_loops()),
        rows_(p.local.rows),
        layout_(p.layout),
        ranks_(p.ranks),
        mixed_(p.local.mixed),
        seen_(rows_, layout_, ranks_, p.whole),
        losses_{local_.losses(), ranks_},
        watch_(layout_, ranks_, p.local.mixed * sizeof(Row)),
        schedule_(layout_, ranks_.largest_tag()),
        messages_(ranks_.rows()),
        program_(backend_, p.local, layout_, ranks_, local_) {}

  /// As levelled_engine::working_bytes, of as many rows as a rank has and listens to.
  static constexpr auto working_bytes = &local_engine::working_bytes;

  /// As levelled_engine::run. What stop() says counts from the window after the next on, since all
  /// ranks have to end at the same place; it is asked often.
  template <class Observe, class Stop>
  bool run(plan_window const &window, Observe observe, Stop stop) {
    try {
      return run_window(window, observe, stop);
    } catch (std::exception const &fault) {
      ranks_.failing(fault.what());
      throw;
    }
  }

  progress_mark reached(progress_mark const &before, plan_window const &window) const {
    return window.between(before, watch_.of_all(trained_));
  }
  rank_losses<Ranks> &losses() { return losses_; }
  /// Of a run in fp16: the steps that were left out, of all ranks.
  std::optional<skipped_steps> skipped() const { return local_.scaling().report(ranks_, layout_); }
  double mean_cohort() const { return watch_.mean_cohort(); }
  void set_all(std::span<T const> row) { local_.set_all(row); }

  /// Whether this rank speaks for all: prints and writes.
  bool leads() const { return layout_.rank() == 0; }
  /// Brought together from all ranks.
  rank_traffic traffic(double planner_seconds) const {
    return watch_.traffic(messages_.sent_bytes() + program_.mixing().sent_bytes(),
                          program_.mixing().waiting_seconds(), planner_seconds);
  }
  rows_type const &host_rows() {
    watch_.agree();
    seen_.renew();
    return seen_;
  }
  Backend const &host_loops() const { return backend_; }
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    return evaluate_on_ranks(layout_, ranks_, nodes, extra, [&](auto const &own, T const *mean) {
      return local_.evaluate(own, mean, test, samples);
    });
  }

 private:
  template <class Observe, class Stop>
  bool run_window(plan_window const &window, Observe &observe, Stop &stop) {
    trained_ = 0;
    if (!watch_.begin(window, stop())) return false;
    watch_.account(rank_watch<Ranks>::planning, [&] { plan(window); });
    while (left_ > 0) {
      bool const moved = messages_.poll([&](std::uint32_t ticket) { arrived(ticket); });
      if (!light_.empty())
        run_light(window);
      else if (together_ != none)
        run_together(window, observe);
      else if (!trainings_.empty())
        train(), stop();
      else if (!moved)
        watch_.account(rank_watch<Ranks>::waiting, [&] { wait(); });
    }
    return true;
  }

  void plan(plan_window const &window) {
    schedule_.build(window, [&](mixing_matrix const &w) {
      rank_mixture<T> const &mixture = program_.mixing().of(w);
      return mixture.form == halo_form::whole ? &mixture.halo : nullptr;
    });
    left_ = schedule_.tasks.size();
    next_transfer_ = 0;
    slots_.assign(schedule_.transfers.size(), none);
    free_.clear();
    for (auto k = static_cast<std::uint32_t>(rows_.size().borrowed); k-- > 0;) free_.push_back(k);
    for (std::uint32_t t = 0; t < schedule_.tasks.size(); ++t)
      if (schedule_.tasks[t].waits == 0) enable(t);
    receive();
  }

  void enable(std::uint32_t t) {
    rank_task const &task = schedule_.tasks[t];
    switch (task.kind) {
      case task_kind::send:
        return messages_.send(task.peer, task.tag, row(task.what.a), t | of_a_send);
      case task_kind::train:
        return trainings_.push(t);
      case task_kind::together:
        together_ = t;
        return;
      case task_kind::light:
      case task_kind::mix:
        light_.push_back(t);
    }
  }

  std::span<std::byte> row(node i) const {
    return std::as_writable_bytes(std::span(rows_.parameters(i), mixed_));
  }
  node borrowed(std::uint32_t transfer) const {
    return static_cast<node>(layout_.nodes()) + slots_[transfer];
  }

  /// Rows are received in the order in which they are needed, as many as there is room for.
  void receive() {
    while (next_transfer_ < schedule_.transfers.size() && !free_.empty()) {
      row_transfer const &in = schedule_.transfers[next_transfer_];
      slots_[next_transfer_] = free_.back();
      free_.pop_back();
      messages_.receive(in.source, in.tag, row(borrowed(next_transfer_)), next_transfer_);
      ++next_transfer_;
    }
  }

  void arrived(std::uint32_t ticket) {
    if (ticket & of_a_send) return finish(ticket & ~of_a_send);
    schedule_.each_follower(schedule_.transfers[ticket], [&](std::uint32_t t) { settle(t); });
  }

  void settle(std::uint32_t t) {
    if (--schedule_.tasks[t].waits == 0) enable(t);
  }

  void finish(std::uint32_t t) {
    release(t);
    schedule_.each_follower(schedule_.tasks[t], [&](std::uint32_t next) { settle(next); });
  }

  void release(std::uint32_t t) {
    --left_;
    rank_task const &task = schedule_.tasks[t];
    watch_.done(task, program_.mixing().waiting_seconds());
    for (std::uint32_t k = 0; k < task.arrival_count; ++k) {
      if (--schedule_.transfers[task.arrivals + k].users > 0) continue;
      free_.push_back(slots_[task.arrivals + k]);
    }
    if (task.arrival_count > 0) receive();
  }

  /// Light operations that are ready and those that only wait for them, as one program; of mixtures
  /// at most one.
  void run_light(plan_window const &window) {
    std::sort(light_.begin(), light_.end());
    batch_.clear();
    std::swap(batch_, light_);
    deferred_.clear();
    bool mixes = false;
    for (std::uint32_t const t : batch_) mixes |= schedule_.tasks[t].kind == task_kind::mix;
    for (std::size_t k = 0; k < batch_.size(); ++k)
      schedule_.each_follower(schedule_.tasks[batch_[k]], [&](std::uint32_t t) {
        rank_task &task = schedule_.tasks[t];
        if (--task.waits > 0) return;
        bool const fits = task.kind == task_kind::light || (task.kind == task_kind::mix && !mixes);
        mixes |= task.kind == task_kind::mix;
        (fits ? batch_ : deferred_).push_back(t);
      });
    program_.run(window, schedule_, batch_, [&](std::uint32_t k) { return borrowed(k); });
    for (std::uint32_t const t : batch_) release(t);
    for (std::uint32_t const t : deferred_) enable(t);
  }

  /// Trainings for about as long as a message may wait to be noticed, the oldest first.
  void train() {
    std::size_t const workers = backend_.workers();
    auto const fits = static_cast<std::size_t>(patience / std::max(training_seconds_, 1e-7));
    std::size_t const count = std::min(trainings_.size(), std::max<std::size_t>(1, fits) * workers);
    cohort_.clear();
    batch_.clear();
    for (std::size_t k = 0; k < count; ++k) {
      batch_.push_back(trainings_.top());
      trainings_.pop();
      cohort_.stream.push_back(schedule_.tasks[batch_.back()].what);
      cohort_.stream.back().level = 1;
    }
    auto const begin = std::chrono::steady_clock::now();
    run_local();
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    training_seconds_ = taken.count() / static_cast<double>((count + workers - 1) / workers);
    trained_ += count;
    for (std::uint32_t const t : batch_) finish(t);
  }

  void run_local() {
    cohort_.sort_levels();
    local_.run(
        cohort_, [](observation const &) {}, [] { return false; });
  }

  template <class Observe>
  void run_together(plan_window const &window, Observe &observe) {
    std::uint32_t const t = std::exchange(together_, none);
    operation const &o = schedule_.tasks[t].what;
    if (o.kind == operation_kind::observe) {
      observe(window.observations[o.count]);
    } else {
      auto const sums = local_.gathered_sums();
      watch_.account(rank_watch<Ranks>::waiting, [&] { ranks_.add_up(sums); });
      local_.scaling().bring_together(ranks_);
      cohort_.clear();
      cohort_.stream.push_back(o);
      cohort_.stream.back().level = 0;
      run_local();
    }
    finish(t);
  }

  void wait() {
    watch_.look_for_answers();
    if (!messages_.poll([&](std::uint32_t ticket) { arrived(ticket); })) std::this_thread::yield();
  }

  static constexpr double patience = 2e-3;  // seconds

  local_engine local_;
  Backend backend_;
  fleet_type const &rows_;
  rank_layout const &layout_;
  Ranks const &ranks_;
  std::size_t mixed_;
  rows_type seen_;
  rank_losses<Ranks> losses_;
  rank_watch<Ranks> watch_;
  rank_schedule schedule_;
  requests messages_;
  rank_program<T, Backend, Ranks, local_engine> program_;

  std::size_t left_ = 0, trained_ = 0;
  std::uint32_t next_transfer_ = 0;
  std::uint32_t together_ = none;
  std::vector<std::uint32_t> slots_, free_, light_, batch_, deferred_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> trainings_;
  plan_window cohort_;
  double training_seconds_ = patience;  // a worker and training
};

}  // namespace gossip
