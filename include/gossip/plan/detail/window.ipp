// Definitions of plan/window.hpp.
#pragma once

#include <gossip/plan/window.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::span<operation const> first_program(std::span<operation const> row_operations) {
  auto const end = std::ranges::find_if(row_operations, [](operation const &o) {
    return o.kind() == operation_kind::observe || o.kind() == operation_kind::sum;
  });
  return {row_operations.begin(), end};
}

GOSSIP_INLINE void plan_window::clear() {
  stream.clear();
  observations.clear();
  asks.reset();
  stopped = false;
  matrices.clear();
  own_matrices.clear();
  coefficients.clear();
  functions.clear();
  operands.clear();
  terms.clear();
  scalars = 0;
  levels_ = 0;
  staged_ = false;
}

GOSSIP_INLINE std::uint32_t plan_window::number_of(mixing_matrix const &w, bool stays) {
  for (std::size_t at = matrices.size(); at-- > 0;)
    if (matrices[at]->identity() == w.identity()) return static_cast<std::uint32_t>(at);
  matrices.push_back(stays ? &w : &own_matrices.emplace_back(w));
  return checked_index(matrices.size() - 1, "plan: matrices of a window");
}

GOSSIP_INLINE void plan_window::sort_levels() {
  if (staged_) number_stages();
  levels_ = 0;
  for (operation const &o : stream) levels_ = std::max(levels_, std::size_t{o.level} + 1);
  grow_capacity(offsets_, 2 * levels_ + 1);
  grow_capacity(next_, 2 * levels_ + 1);
  grow_capacity(sorted_, stream.size());
  offsets_.assign(2 * levels_ + 1, 0);
  for (operation const &o : stream) ++offsets_[place(o) + 1];
  for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  next_.assign(offsets_.begin(), offsets_.end());
  trainings_ = 0;
  for (operation const &o : stream) trainings_ += o.kind() == operation_kind::train;
  sorted_.resize(stream.size());
  for (operation const &o : stream) sorted_[next_[place(o)]++] = o;
}

GOSSIP_INLINE progress_mark plan_window::between(progress_mark const &before,
                                                 std::size_t trained) const {
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

GOSSIP_INLINE plan_level plan_window::level(std::size_t l) const {
  auto const part = [&](std::size_t p) {
    return std::span<operation const>(sorted_).subspan(offsets_[p], offsets_[p + 1] - offsets_[p]);
  };
  auto const cohort = part(2 * l), rest = part(2 * l + 1);
  if (!rest.empty() && rest.front().ends_stage()) return {cohort, {}, rest};
  return {cohort, rest, {}};
}

GOSSIP_INLINE void plan_window::number_stages() {
  auto const within = [](operation const &o) {
    return 2 * (o.level % depths::stages) + o.ends_stage();
  };
  std::uint32_t deepest = 0;
  for (operation const &o : stream) deepest = std::max(deepest, o.level / depths::stages);
  stages_.assign(deepest + 2, 0);  // of each level, behind it; then of all before it
  for (operation const &o : stream) {
    std::uint32_t &of_level = stages_[o.level / depths::stages + 1];
    of_level = std::max(of_level, within(o) + 1);
  }
  stages_[1] = std::max(stages_[1], 1U);  // level 0, whose cohort is empty
  for (std::size_t l = 1; l < stages_.size(); ++l) stages_[l] += stages_[l - 1];
  for (operation &o : stream) o.level = stages_[o.level / depths::stages] + within(o);
}

}  // namespace gossip
