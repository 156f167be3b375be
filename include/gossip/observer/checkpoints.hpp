// Checkpoints of a run in a folder: its state at the ends of windows, from which a run of the same
// settings and policies goes on to the same bits.
#pragma once

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/observer/detail/state_copy.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/state_files.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

namespace detail {

/// The folder of a checkpoint after so many windows.
inline std::string checkpoint_folder(std::string const &folder, std::uint64_t windows) {
  std::string const digits = std::to_string(windows);
  constexpr std::size_t width = 12;
  return folder + "/window-" + std::string(width - std::min(width, digits.size()), '0') + digits;
}

/// Windows of the checkpoints in a folder, the last one first; also of some that are not whole.
/// Throws error where the folder cannot be read; where it is not there, there are none.
inline std::vector<std::uint64_t> checkpoint_windows(std::string const &folder) {
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

/// Whether the notes of all shards are there.
inline bool is_whole(std::string const &folder) {
  try {
    checkpoint::notes_of(folder);
    return true;
  } catch (error const &) {
    return false;
  }
}

}  // namespace detail

/// The newest whole checkpoint of a folder; passed_over: becomes a sentence for each newer one that
/// is not. check(checkpoint) throws input_error for one that is not to be taken. None where there
/// is no checkpoint; throws input_error where there are some, but no whole one.
inline std::unique_ptr<checkpoint> newest_checkpoint(
    std::string const &folder, std::vector<std::string> *passed_over = {},
    std::function<void(checkpoint const &)> const &check = {}) {
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

/// Writes a checkpoint at the end of the first window after every period, to a folder that all
/// ranks share. The last two that are whole are kept. Where memory is counted for a copy of the
/// state, see run_settings::copy_of_state, the run waits for the copy, which is written while it
/// goes on; else it waits while the files are written.
class checkpoints {
 public:
  using period = std::variant<epochs, rounds, std::chrono::seconds>;

  /// end: becomes true: a checkpoint is written at the next window's end, and then `*ended` is
  /// true, which may be the interrupt of run_settings. Both outlive the run.
  checkpoints(std::string folder, period every, std::atomic<bool> const *end = nullptr,
              std::atomic<bool> *ended = nullptr)
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

  void begin(run_outline const &) {
    for (std::uint64_t const windows : detail::checkpoint_windows(folder_)) {
      std::string const one = detail::checkpoint_folder(folder_, windows);
      if (earlier_.empty() && detail::is_whole(one)) earlier_ = one;
    }
  }

  void window_ended(window_end const &now) {
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

 private:
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;

  /// A piece of work on a thread of its own while the run goes on.
  struct work_behind {
    std::atomic<bool> is_done = false;
    seconds taken{};
    std::exception_ptr failure{};
    std::jthread thread{};
  };

  /// At the first window's end. Checkpoints of later windows go: they are not whole, or belong to
  /// an end of the run that the run now passes.
  void begin_windows(window_end const &now, bool goes_on) {
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

  /// A run that begins anew would be mistaken for the one whose checkpoints are there.
  void require_new(window_end const &now) const {
    if (now.any(now.begun_windows == 0 && !earlier_.empty()))
      throw input_error(folder_, "no checkpoints of an earlier run, since this run begins anew",
                        earlier_.empty() ? "some" : earlier_);
  }

  /// Alike on all ranks.
  bool is_due(window_end const &now) {
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

  void write(window_end const &now, bool behind) {
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

  /// Fetches the memory of copies while the run goes on.
  void prepare_copy(window_end const &now) {
    copy_ = std::make_shared<detail::state_copy>();
    copy_->reserve(now.name_state);
    begin_behind([copy = copy_] {
      copy->touch();
      return seconds{};
    });
  }

  /// f() on a thread of its own; it returns the time that writing has taken.
  void begin_behind(std::function<seconds()> f) {
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

  /// Returns the time that it has taken.
  seconds write_files(window_end const &now) const {
    auto const begin = clock::now();
    write_shard(detail::checkpoint_folder(folder_, now.windows), {now.rank, now.ranks}, now);
    if (now.rank == 0) remove_old(now);
    return clock::now() - begin;
  }

  /// Throws write_error where the files that are written behind the run cannot be.
  void finish_writing() {
    if (!behind_) return;
    behind_->thread.join();
    auto const ended = std::exchange(behind_, {});
    if (ended->failure) std::rethrow_exception(ended->failure);
    writing_ = ended->taken;
  }

  /// A run whose checkpoints take longer to write than the time between them is refused at its
  /// second one. Less than a second is no matter.
  void require_period(window_end const &now, seconds between) const {
    bool const more = writing_.count() > 1 && writing_ > between;
    if (now.any(more && !mine_.empty() && !(end_ && end_->load(std::memory_order_relaxed))))
      throw input_error(folder_,
                        "checkpoints that are further apart than the " +
                            shortest_seconds(writing_) + " s that one takes to write",
                        shortest_seconds(between) + " s");
  }
  static std::string shortest_seconds(seconds time) {
    return detail::shortest(std::round(time.count() * 10) / 10);
  }

  /// Before this one: those that this process has passed over when it went on, and those before the
  /// last two that are whole. Others may still write to this one alone.
  void remove_old(window_end const &now) const {
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

  std::string folder_, earlier_;  // earlier_: a checkpoint that was there before the run
  double epochs_ = 0, rounds_ = 0, seconds_ = 0;  // of a period; one of them is above 0
  std::atomic<bool> const *end_;
  std::atomic<bool> *ended_;
  bool began_ = false, answered_ = false;
  std::optional<double> periods_;           // that have passed
  std::vector<std::uint64_t> mine_;         // windows of checkpoints that this process has written
  clock::time_point taken_ = clock::now();  // when the run went on from the last one
  seconds writing_{};                       // the last one
  std::shared_ptr<detail::state_copy> copy_;
  std::shared_ptr<work_behind> behind_;  // the last: its thread uses all others
};

}  // namespace gossip
