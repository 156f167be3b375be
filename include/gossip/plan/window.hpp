// A stretch of a plan that is in memory: operations in stream order, and the same by level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/room.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// One level: trainings that do not depend on each other, then light operations in stream order.
struct plan_level {
  std::span<operation const> cohort;
  std::span<operation const> light;
};

/// Operations of a window. All vectors keep their room from window to window.
class plan_window {
 public:
  std::vector<operation> stream;
  std::vector<observation> observations;
  std::vector<mixing_matrix const *> matrices;
  std::vector<double> coefficients;  ///< of column functions that take more than one
  progress_mark end;                 ///< where the run stands after the window

  /// Empty, with room for so many operations in both orders.
  void expect(std::size_t operations) {
    clear();
    make_room(stream, operations);
    make_room(sorted_, operations);
    make_room(observations, 64);
  }

  void clear() {
    stream.clear();
    observations.clear();
    matrices.clear();
    coefficients.clear();
    levels_ = 0;
  }

  /// The number of a matrix among those that the window's mixtures name.
  std::uint64_t number_of(mixing_matrix const &w) {
    auto const at = static_cast<std::size_t>(std::find(matrices.begin(), matrices.end(), &w) -
                                             matrices.begin());
    if (at == matrices.size()) matrices.push_back(&w);
    return at;
  }

  /// Sorts the stream by level, stably; O(operations).
  void sort_levels() {
    levels_ = 0;
    for (operation const &o : stream) levels_ = std::max(levels_, std::size_t{o.level} + 1);
    make_room(offsets_, 2 * levels_ + 1);
    make_room(next_, 2 * levels_ + 1);
    make_room(sorted_, stream.size());
    offsets_.assign(2 * levels_ + 1, 0);
    for (operation const &o : stream) ++offsets_[place(o) + 1];
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    next_.assign(offsets_.begin(), offsets_.end());
    trainings_ = 0;
    for (operation const &o : stream) trainings_ += o.kind == operation_kind::train;
    sorted_.resize(stream.size());
    for (operation const &o : stream) sorted_[next_[place(o)]++] = o;
  }

  /// Where a run stands that has done `trained` of this window's trainings; between the marks of
  /// its ends, to scale.
  progress_mark between(progress_mark const &before, std::size_t trained) const {
    if (trained >= trainings_) return end;
    auto const share = [&](auto from, auto to) {
      double const part = static_cast<double>(trained) / static_cast<double>(trainings_);
      return from + static_cast<decltype(from)>(part * static_cast<double>(to - from));
    };
    return {share(before.round, end.round), share(before.node_iterations, end.node_iterations),
            share(before.epoch, end.epoch),
            virtual_time(share(before.time.count(), end.time.count())),
            share(before.bytes_sent, end.bytes_sent)};
  }

  /// All operations; those of a level, cohort first, are a part of them.
  std::span<operation const> by_level() const { return sorted_; }

  /// Including level 0, whose cohort is empty.
  std::size_t levels() const { return levels_; }

  plan_level level(std::size_t l) const {
    auto const part = [&](std::size_t p) {
      return std::span<operation const>(sorted_).subspan(offsets_[p],
                                                         offsets_[p + 1] - offsets_[p]);
    };
    return {part(2 * l), part(2 * l + 1)};
  }

 private:
  /// A level's trainings come before its light operations; level 0 has none.
  static std::size_t place(operation const &o) {
    return 2 * std::size_t{o.level} + (o.kind == operation_kind::train ? 0 : 1);
  }

  std::size_t levels_ = 0, trainings_ = 0;
  std::vector<operation> sorted_;
  std::vector<std::size_t> offsets_, next_;
};

}  // namespace gossip
