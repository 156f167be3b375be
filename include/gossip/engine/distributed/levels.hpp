// Costs of single levels for a run on many ranks: the imbalance of their trainings, and the time
// that a rank had nothing to do before it could do theirs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/capacity.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/transport/communication_report.hpp>

namespace gossip {

/// Of one rank; window after window, with no memory a level once the windows are as large as they
/// get.
class rank_levels {
 public:
  /// A window of so many levels begins.
  void begin(std::size_t levels) {
    if (!waits_.empty()) spent(waits_.size() - 1);  // until its last rows had left
    ++window_;
    grow_capacity(waits_, levels);
    waits_.assign(levels, 0.0);
  }

  /// A level of the window has something to do: trainings of all ranks, and the most of one.
  void count(std::size_t level, std::size_t trainings, std::size_t largest, std::size_t ranks) {
    ++levels_;
    std::size_t const excess = largest * ranks - trainings;
    if (trainings == 0 || (uneven_.window > 0 && excess <= most_excess_)) return;
    most_excess_ = excess;
    uneven_ = {static_cast<double>(largest * ranks) / static_cast<double>(trainings), trainings,
               window_, level};
  }

  /// This rank has had nothing to do for so long.
  void waited(double seconds) { pending_ += seconds; }

  /// This rank has done a task: its time without work since the last one was spent waiting for this
  /// one. Nobody waits for a send. mixing_seconds: time of all mixtures' waiting so far.
  void done(rank_task const &task, double mixing_seconds) {
    if (task.kind == task_kind::send) return;
    if (task.kind == task_kind::mix)
      pending_ += mixing_seconds - std::exchange(mixing_seconds_, mixing_seconds);
    spent(task.what.level);
  }

  std::uint64_t levels() const { return levels_; }
  uneven_level const &most_uneven() const { return uneven_; }

  /// The level that any rank waited longest for; all ranks at once.
  template <class Ranks>
  awaited_level most_awaited(Ranks const &ranks) const {
    std::vector<double> seconds(ranks.size(), 0.0);
    std::vector<std::uint64_t> places(2 * ranks.size(), 0);
    seconds[ranks.rank()] = awaited_.seconds;
    places[2 * ranks.rank()] = awaited_.window;
    places[2 * ranks.rank() + 1] = awaited_.level;
    ranks.all_reduce_sum(std::span<double>(seconds));
    ranks.all_reduce_sum(std::span<std::uint64_t>(places));
    auto const most = static_cast<std::size_t>(std::max_element(seconds.begin(), seconds.end()) -
                                               seconds.begin());
    return {seconds[most], most, places[2 * most], places[2 * most + 1]};
  }

 private:
  void spent(std::size_t level) {
    if (pending_ <= 0) return;
    double const total = waits_[level] += std::exchange(pending_, 0.0);
    if (total > awaited_.seconds) awaited_ = {total, 0, window_, level};
  }

  std::uint64_t window_ = 0, levels_ = 0;
  std::size_t most_excess_ = 0;
  uneven_level uneven_;
  awaited_level awaited_;
  std::vector<double> waits_;  // (levels) of the window, seconds
  double pending_ = 0, mixing_seconds_ = 0;
};

}  // namespace gossip
