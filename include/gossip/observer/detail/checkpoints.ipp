// Definitions of observer/checkpoints.hpp.
#pragma once

#include <gossip/observer/checkpoints.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include <gossip/core/inline.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

namespace detail {

GOSSIP_INLINE std::string checkpoint_folder(std::string const &folder, std::uint64_t windows) {
  std::string const digits = std::to_string(windows);
  constexpr std::size_t width = 12;
  return folder + "/window-" + std::string(width - std::min(width, digits.size()), '0') + digits;
}

GOSSIP_INLINE std::vector<std::uint64_t> checkpoint_windows(std::string const &folder) {
  std::vector<std::uint64_t> all;
  each_entry(folder, [&](std::filesystem::path const &entry) {
    std::string const name = entry.filename().string();
    std::uint64_t windows = 0;
    std::size_t const begin = name.find('-') + 1;
    auto const [end, fault] =
        std::from_chars(name.data() + begin, name.data() + name.size(), windows);
    if (fault == std::errc() && entry.string() == checkpoint_folder(folder, windows))
      all.push_back(windows);
  });
  std::sort(all.begin(), all.end());
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace detail

GOSSIP_INLINE std::unique_ptr<checkpoint> newest_checkpoint(
    std::string const &folder, std::vector<std::string> *passed_over,
    std::function<void(checkpoint const &)> const &check) {
  std::string reason;
  for (std::uint64_t const windows : detail::checkpoint_windows(folder)) {
    std::string const one = detail::checkpoint_folder(folder, windows);
    try {
      auto found = std::make_unique<checkpoint>(one);
      if (found->windows() != windows)
        throw input_error(one, "a checkpoint of this window",
                          "of window " + std::to_string(found->windows()));
      if (check) check(*found);
      return found;
    } catch (error const &fault) {
      if (reason.empty()) reason = fault.what();
      if (passed_over) passed_over->push_back(fault.what());
    }
  }
  if (!reason.empty()) throw input_error(reason);
  return nullptr;
}

GOSSIP_INLINE checkpoints::checkpoints(std::string folder, period every,
                                       std::atomic<bool> const *end, std::atomic<bool> *ended)
    : folder_(std::move(folder)), end_(end), ended_(ended) {
  if (auto const *const e = std::get_if<epochs>(&every))
    epochs_ = e->count;
  else if (auto const *const r = std::get_if<rounds>(&every))
    rounds_ = static_cast<double>(r->count);
  else
    seconds_ = static_cast<double>(std::get<std::chrono::seconds>(every).count());
  if (!(epochs_ > 0 || rounds_ > 0 || seconds_ > 0))
    throw input_error("checkpoints: every must be above 0");
}

GOSSIP_INLINE void checkpoints::window_ended(window_end const &now) {
  bool const ends = end_ && now.any(end_->load(std::memory_order_relaxed));
  bool const is_over = ends || now.last;
  if (!began_) begin_windows(now, !is_over);
  if (behind_ && behind_->is_done) finish_writing();
  bool const writes = is_due(now) || (ends && !answered_);
  if (is_over && copy_) copy_->leave();
  if (writes) write(now, copy_ && !is_over);
  if (is_over) finish_writing();
  answered_ = ends;
  if (ends && ended_) ended_->store(true, std::memory_order_relaxed);
}

GOSSIP_INLINE void checkpoints::begin_windows(window_end const &now, bool goes_on) {
  began_ = true;
  require_new(now);
  if (now.rank == 0)
    for (std::uint64_t const windows : detail::checkpoint_windows(folder_)) {
      std::error_code failed;
      if (windows > now.windows)
        std::filesystem::remove_all(detail::checkpoint_folder(folder_, windows), failed);
    }
  if (now.has_room && goes_on) prepare_copy(now);
}

GOSSIP_INLINE bool checkpoints::is_due(window_end const &now) {
  if (seconds_ > 0) {
    seconds const waited = clock::now() - taken_;
    return now.any(now.rank == 0 && waited.count() >= seconds_);
  }
  auto const periods = [&](progress_mark const &mark) {
    return std::floor(epochs_ > 0 ? mark.epoch / epochs_
                                  : static_cast<double>(mark.round) / rounds_);
  };
  if (!periods_) periods_ = periods(now.begun);
  double const reached = periods(now.mark);
  return std::exchange(*periods_, reached) < reached;
}

GOSSIP_INLINE void checkpoints::write(window_end const &now, bool behind) {
  seconds const between = clock::now() - taken_;
  finish_writing();
  require_period(now, between);
  mine_.push_back(now.windows);
  if (behind) {
    copy_->take(now.name_state);
    window_end copied = now;
    copied.name_state = [copy = copy_](state_visitor const &visit) { copy->name_state(visit); };
    begin_behind([this, copied] { return write_files(copied); });
  } else {
    writing_ = write_files(now);
  }
  taken_ = clock::now();
}

GOSSIP_INLINE void checkpoints::begin_behind(std::function<seconds()> f) {
  behind_ = std::make_shared<work_behind>();
  behind_->thread = std::jthread([work = behind_.get(), f = std::move(f)] {
    try {
      work->taken = f();
    } catch (...) {
      work->failure = std::current_exception();
    }
    work->is_done = true;
  });
}

GOSSIP_INLINE checkpoints::seconds checkpoints::write_files(window_end const &now) const {
  auto const begin = clock::now();
  write_shard(detail::checkpoint_folder(folder_, now.windows), {now.rank, now.ranks}, now);
  if (now.rank == 0) remove_old(now);
  return clock::now() - begin;
}

GOSSIP_INLINE void checkpoints::require_period(window_end const &now, seconds between) const {
  bool const more = writing_.count() > 1 && writing_ > between;
  if (now.any(more && !mine_.empty() && !(end_ && end_->load(std::memory_order_relaxed))))
    throw input_error(folder_,
                      "checkpoints that are further apart than the " + shortest_seconds(writing_) +
                          " s that one takes to write",
                      shortest_seconds(between) + " s");
}

GOSSIP_INLINE void checkpoints::remove_old(window_end const &now) const {
  constexpr std::size_t kept = 2;
  std::size_t whole = 0;
  for (std::uint64_t const windows : detail::checkpoint_windows(folder_)) {
    if (windows > now.windows) continue;
    std::string const one = detail::checkpoint_folder(folder_, windows);
    bool const passed_over = windows > now.begun_windows &&
                             std::find(mine_.begin(), mine_.end(), windows) == mine_.end();
    std::error_code failed;
    if (whole >= kept || passed_over)
      std::filesystem::remove_all(one, failed);
    else
      whole += windows == now.windows || detail::is_whole(one);
  }
}

}  // namespace gossip
