// One rank's share of a network on a device: its rows, and what is done with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/cpu/threads.hpp>
#include <gossip/engine/device/inputs.hpp>
#include <gossip/engine/device/messages.hpp>
#include <gossip/engine/device/network_sum.hpp>
#include <gossip/engine/device/progress.hpp>
#include <gossip/engine/device/state.hpp>
#include <gossip/engine/device/work.hpp>
#include <gossip/engine/distributed/batch.hpp>
#include <gossip/engine/distributed/device_mixing.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/transport/communication_report.hpp>

namespace gossip {

/// Executor of distributed_engine's tasks on a device. A function returns once its work has been
/// given to the device: one stream keeps the order, so later work may be given to it as well.
template <class Types, class Ranks>
class device_executor {
  using T = typename Types::number;
  using Backend = typename Types::backend;
  using work_type = device_work<Types>;
  using mixing_type = device_rank_mixing<T, Backend, Ranks>;
  using messages_type = device_messages<T, Backend, Ranks>;

 public:
  using types = Types;
  using inputs = engine_inputs<Types>;
  using ranks_type = Ranks;
  using fleet_type = typename Types::fleet_type;
  using host_fleet = typename work_type::host_rows_type;

  /// Layout and ranks outlive it; the fleet holds the rows of the layout's own nodes.
  device_executor(engine_inputs<Types> const &p, rank_layout const &layout, Ranks const &ranks,
                  halo_staging const &)
      : work_(p),
        layout_(layout),
        ranks_(ranks),
        messages_(p.backend, work_.rows(), work_.size(), layout, ranks, p.columns.exchanged,
                  progress_),
        mixing_(p.backend, p.functions, work_.rows(), layout, ranks, work_.size().parameters,
                work_.size().borrowed) {}

  /// nodes: as many rows as a rank has and needs.
  static std::size_t working_bytes(typename work_type::model_type const &model, Backend const &,
                                   std::size_t nodes, std::size_t batch, bool shared) {
    return work_type::working_bytes(model, nodes, batch, shared) +
           mixing_type::working_bytes(nodes) +
           messages_type::working_bytes(model.outline().row_length(), nodes);
  }

  auto &messages() { return messages_; }

  /// The rows that a mixture needs to be there, or null where it brings them itself.
  halo_pattern const *halo(mixing_matrix const &w) {
    local_matrix<T> const &mixture = mixing_.of(w);
    return mixture.form == halo_form::whole ? &mixture.halo : nullptr;
  }

  /// Before a window with so many trainings of this rank.
  void begin(plan_window const &window, std::size_t trainings) {
    work_.begin(window, trainings);
    mixing_.begin(window);
  }

  /// Waits for all trainings.
  void settle() { work_.settle(); }

  /// Whether the device has no trainings to do.
  bool idle() { return progress_.reached() >= last_; }

  /// Number of ready trainings to begin now: all of them, but none as long as two cohorts are not
  /// done. Until then more become ready, and cohorts are larger.
  std::size_t at_once(std::size_t ready) {
    return progress_.reached() >= last_but_one_ ? ready : 0;
  }

  /// Row operations are given to the device as they become ready.
  static constexpr bool gathers_operations() { return false; }

  static constexpr void pass_over(plan_window const &) {}

  void train(std::span<operation const> trainings) {
    work_.take(trainings);
    work_.train(trainings);
    last_but_one_ = last_;
    last_ = progress_.mark(work_.backend());
  }

  /// Row operations and at most one mixture, see rank_batch.
  template <class Borrowed>
  void run(plan_window const &window, task_graph const &dag, std::span<std::uint32_t const> batch,
           Borrowed borrowed) {
    batch_.sort(dag, layout_, batch, borrowed);
    std::size_t const before = batch_.before.size();
    operations_.assign(batch_.before.begin(), batch_.before.end());
    operations_.insert(operations_.end(), batch_.after.begin(), batch_.after.end());
    std::size_t const columns = operations_.size();
    operations_.insert(operations_.end(), batch_.last.begin(), batch_.last.end());
    std::span<operation const> const all(operations_);
    if (!all.empty()) work_.take(all, window.coefficients);
    work_.run(all.first(before));
    if (batch_.mix) mix(window, borrowed);
    work_.run(all.subspan(before, columns - before));
    work_.end_stage(all.subspan(columns));
  }

  /// On all ranks at once; waits(f): runs what may have to wait for others.
  template <class Waits>
  void reduce(operation const &o, Waits waits) {
    add_up_sums(waits);
    work_.scaling().merge_over_ranks(ranks_);
    work_.take({&o, 1});
    work_.run({&o, 1});
  }

  template <class Waits>
  void sum(operation const &o, plan_window const &window, Waits waits) {
    work_.take({&o, 1});
    sum_.run(
        work_, o, window, [&](node i) { return layout_.owns(i); },
        [&](auto &rows) {
          rows.exchange(work_.backend(), [&](std::span<std::int64_t> sums) {
            waits([&] { ranks_.all_reduce_sum(sums); });
          });
        });
  }

  void set_all(std::span<T const> row) { work_.set_all(row); }
  /// Collective, as that of host_executor.
  void name_state(state_visitor const &visit) {
    if (!work_.size().shared) return name_device_state(visit, work_);
    add_up_sums([](auto f) { f(); });
    work_.scaling().merge_over_ranks(ranks_);
    name_device_state(visit, work_);
    if (layout_.owns(0)) return;
    std::fill(sums_.begin(), sums_.end(), 0);
    work_.backend().upload(work_.gathered_sums().data(), sums_.data(), sums_.size());
    work_.scaling().forget_gradients();
  }
  loss_record &losses() { return work_.losses(); }
  std::optional<skipped_steps> skipped() const { return work_.scaling().report(ranks_, layout_); }

  auto extreme(node i, std::uint8_t slot) const { return extreme_on_device(work_, i, slot); }

  /// Rows as the host sees them, which have changed at bring_rows().
  host_fleet const &host_rows() { return work_.host_rows(); }
  host_fleet const &host_rows_of_servers() { return work_.host_rows_of_servers(); }
  void bring_rows() { work_.host_rows().renew(); }
  static host_threads host_loops() { return {}; }

  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    return work_.evaluate(nodes, extra, test, samples);
  }

  std::uint64_t sent_bytes() const { return messages_.sent_bytes() + mixing_.sent_bytes(); }
  /// For which mixtures waited.
  double waiting_seconds() const { return mixing_.waiting_seconds(); }

  /// Reports the path of rows, and the copies to the host on all ranks.
  void describe(communication_report &traffic) const {
    std::vector<std::uint64_t> copies{messages_.copies_down() + mixing_.copies_down()};
    ranks_.all_reduce_sum(std::span<std::uint64_t>(copies));
    traffic.rows = messages_.direct() ? row_path::direct : row_path::pinned;
    traffic.copies_down = copies[0];
  }

 private:
  /// The sums of all ranks' gradients become those of each.
  template <class Waits>
  void add_up_sums(Waits waits) {
    auto const &there = work_.gathered_sums();
    sums_.resize(there.size());
    work_.backend().download(sums_.data(), there.data(), sums_.size());
    waits([&] { ranks_.all_reduce_sum(std::span<std::int64_t>(sums_)); });
    work_.backend().upload(there.data(), sums_.data(), sums_.size());
  }

  template <class Borrowed>
  void mix(plan_window const &window, Borrowed borrowed) {
    halo_.clear();
    auto const own = static_cast<std::uint32_t>(layout_.own().size() + layout_.held_servers());
    for (std::uint32_t k = 0; k < batch_.mix->arrival_count; ++k)  // behind the own rows
      halo_.push_back(borrowed(batch_.mix->arrivals + k) -
                      static_cast<std::uint32_t>(layout_.all()) + own);
    operation const &mix = batch_.mix->what;
    mixing_.run(mixing_.of(*window.matrices[mix.mix().matrix]), mix, work_.end_of(mix), halo_);
  }

  work_type work_;
  rank_layout const &layout_;
  Ranks const &ranks_;
  device_progress<Backend> progress_;
  messages_type messages_;
  mixing_type mixing_;
  std::uint64_t last_ = 0, last_but_one_ = 0;  // marks of cohorts
  rank_batch batch_;
  std::vector<operation> operations_;
  std::vector<std::uint32_t> halo_;
  std::vector<std::int64_t> sums_;
  device_network_sum<T, T, Backend> sum_;
};

}  // namespace gossip
