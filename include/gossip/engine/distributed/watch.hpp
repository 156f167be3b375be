// Agreement of ranks on plans and ends, and the cost of being many: waiting, planning, bytes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/engine/distributed/communication_volume.hpp>
#include <gossip/engine/distributed/levels.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/transport/communication_report.hpp>

namespace gossip {

/// A fingerprint of a window's operations and matrices.
std::uint64_t hash_of(plan_window const &window);

template <class Ranks>
class rank_watch {
 public:
  enum purpose { waiting, planning };

  rank_watch(rank_layout const &layout, Ranks const &ranks, std::size_t row_bytes)
      : layout_(layout),
        ranks_(ranks),
        row_bytes_(row_bytes),
        shares_(layout.ranks()),
        crossings_(layout) {}

  /// Sends the window's hash to the others, and whether this rank wants to end. False where a rank
  /// wanted to at the last window: all know that by now. Throws gossip::error where the plans of
  /// the last window differed.
  bool begin(plan_window const &window, bool end) {
    account(waiting, [&] { agree(); });
    if (ending_) return false;
    ++windows_;
    account(planning, [&] {
      count(window);
      ranks_.propose({hash_of(window), end ? 1U : 0U});
    });
    asked_ = true;
    return true;
  }

  /// Counts a window that was executed before.
  void pass_over(plan_window const &window) {
    cohorts_before_ += window.cohorts();
    trainings_before_ += window.trainings();
  }

  /// Reads all ranks' answers about the last window, once they are there.
  void look_for_answers() {
    if (!asked_ || !ranks_.answered()) return;
    asked_ = false;
    auto const answers = ranks_.answers();
    for (std::size_t r = 0; r < answers.size(); ++r) {
      ending_ |= answers[r][1] != 0;
      if (answers[r][0] != answers[0][0])
        throw error("ranks: the plan of rank " + std::to_string(r) + " differs from that of rank " +
                    "0 in window " + std::to_string(windows_) +
                    "; expected identical programs and input on all ranks");
    }
  }

  void agree() {
    while (asked_) {
      look_for_answers();
      if (asked_) std::this_thread::yield();
    }
  }

  /// f's time goes on an account.
  template <class F>
  void account(purpose what, F f) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    (what == waiting ? waiting_seconds_ : planning_seconds_) += taken.count();
    if (what == waiting) levels_.waited(taken.count());
  }

  /// A task is done; mixing_seconds: for which mixtures have waited so far.
  void done(rank_task const &task, double mixing_seconds) { levels_.done(task, mixing_seconds); }

  double mean_cohort() const {
    return static_cast<double>(trainings_before_ + trainings_) /
           static_cast<double>(std::max(cohorts_before_ + cohorts_, one));
  }

  /// Estimate of the window's trainings done on all ranks, from those done on this one.
  std::size_t of_all(std::size_t own) const {
    if (own_in_window_ == 0) return 0;
    return in_window_ * own / own_in_window_;
  }

  /// Called by all ranks at once. mixing_seconds: time that mixtures waited; planner_seconds: time
  /// of the windows that a background thread planned.
  communication_report traffic(std::uint64_t bytes_sent, double mixing_seconds,
                               double planner_seconds) const {
    communication_report result;
    result.accounts = ranks_.all_gather(rank_account{ranks_.machine(), layout_.own().size(),
                                                     bytes_sent, waiting_seconds_ + mixing_seconds,
                                                     planning_seconds_ + planner_seconds});
    double const ranks = static_cast<double>(layout_.ranks());
    for (rank_account const &part : result.accounts) {
      result.bytes_sent += part.bytes_sent;
      result.waiting_seconds += part.waiting_seconds / ranks;
      result.planning_seconds += part.planning_seconds / ranks;
      result.most_waiting_seconds = std::max(result.most_waiting_seconds, part.waiting_seconds);
      result.most_planning_seconds = std::max(result.most_planning_seconds, part.planning_seconds);
    }
    result.planned_bytes = crossings_.total() * row_bytes_;
    result.levels = levels_.levels();
    result.most_uneven = levels_.most_uneven();
    result.most_awaited = levels_.most_awaited(ranks_);
    if (trainings_ > 0)
      result.imbalance =
          static_cast<double>(largest_shares_) * ranks / static_cast<double>(trainings_);
    result.most_nodes = layout_.most();
    return result;
  }

 private:
  static constexpr std::size_t one = 1;

  void count(plan_window const &window) {
    in_window_ = own_in_window_ = 0;
    levels_.begin(window.levels());
    for (std::size_t l = 0; l < window.levels(); ++l) {
      auto const &[cohort, row_operations, scalars] = window.level(l);
      if (cohort.empty() && row_operations.empty() && scalars.empty()) continue;
      std::fill(shares_.begin(), shares_.end(), std::size_t{0});
      for (operation const &o : cohort) ++shares_[layout_.owner(o.a)];
      own_in_window_ += shares_[layout_.rank()];
      in_window_ += cohort.size();
      std::size_t const largest = *std::max_element(shares_.begin(), shares_.end());
      levels_.count(l, cohort.size(), largest, layout_.ranks());
      largest_shares_ += largest;
      cohorts_ += !cohort.empty();
    }
    trainings_ += in_window_;
    crossings_.count(window);
  }

  rank_layout const &layout_;
  Ranks const &ranks_;
  std::size_t row_bytes_;
  std::vector<std::size_t> shares_;  // (ranks)
  bool asked_ = false, ending_ = false;
  std::uint64_t windows_ = 0;
  communication_volume crossings_;
  rank_levels levels_;
  std::size_t cohorts_ = 0, trainings_ = 0, largest_shares_ = 0;
  std::size_t cohorts_before_ = 0, trainings_before_ = 0;  // of windows passed over
  std::size_t in_window_ = 0, own_in_window_ = 0;
  double waiting_seconds_ = 0, planning_seconds_ = 0;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/distributed/detail/watch.ipp>
#endif
