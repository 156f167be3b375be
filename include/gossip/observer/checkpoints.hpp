// Checkpoints of a run in a folder: its state at the ends of windows, from which a run of the same
// settings and policies goes on to the same bits.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

namespace gossip {

namespace detail {

/// The folder of a checkpoint after so many windows.
std::string checkpoint_folder(std::string const &folder, std::uint64_t windows);

/// Windows of the checkpoints in a folder, the last one first; also of some that are not whole.
/// Throws error where the folder cannot be read; where it is not there, there are none.
std::vector<std::uint64_t> checkpoint_windows(std::string const &folder);

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
std::unique_ptr<checkpoint> newest_checkpoint(
    std::string const &folder, std::vector<std::string> *passed_over = {},
    std::function<void(checkpoint const &)> const &check = {});

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
              std::atomic<bool> *ended = nullptr);

  void begin(run_outline const &) {
    for (std::uint64_t const windows : detail::checkpoint_windows(folder_)) {
      std::string const one = detail::checkpoint_folder(folder_, windows);
      if (earlier_.empty() && detail::is_whole(one)) earlier_ = one;
    }
  }

  void window_ended(window_end const &now);

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
  void begin_windows(window_end const &now, bool goes_on);

  /// A run that begins anew would be mistaken for the one whose checkpoints are there.
  void require_new(window_end const &now) const {
    if (now.any(now.begun_windows == 0 && !earlier_.empty()))
      throw input_error(folder_, "no checkpoints of an earlier run, since this run begins anew",
                        earlier_.empty() ? "some" : earlier_);
  }

  /// Alike on all ranks.
  bool is_due(window_end const &now);

  void write(window_end const &now, bool behind);

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
  void begin_behind(std::function<seconds()> f);

  /// Returns the time that it has taken.
  seconds write_files(window_end const &now) const;

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
  void require_period(window_end const &now, seconds between) const;
  static std::string shortest_seconds(seconds time) {
    return detail::shortest(std::round(time.count() * 10) / 10);
  }

  /// Before this one: those that this process has passed over when it went on, and those before the
  /// last two that are whole. Others may still write to this one alone.
  void remove_old(window_end const &now) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/checkpoints.ipp>
#endif
