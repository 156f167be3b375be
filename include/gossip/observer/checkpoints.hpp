// Checkpoints of a run in a folder: its state at the ends of windows, from which a run of the same
// settings and policies goes on to the same bits.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/state_files.hpp>
#include <gossip/observer/window_end.hpp>

namespace gossip {

namespace detail {

/// The folder of a checkpoint after so many windows.
inline std::string checkpoint_folder(std::string const &folder, std::uint64_t windows) {
  std::string const digits = std::to_string(windows);
  constexpr std::size_t width = 12;
  return folder + "/window-" + std::string(width - std::min(width, digits.size()), '0') + digits;
}

/// The folders of checkpoints, the newest first; also of some that are not whole.
inline std::vector<std::string> checkpoint_folders(std::string const &folder) {
  std::vector<std::string> all;
  std::error_code failed;
  for (auto const &entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().filename().string().starts_with("window-"))
      all.push_back(entry.path().string());
  std::ranges::sort(all, std::greater<>{});
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
/// is not. None where there is no checkpoint; throws input_error where there are some, but no whole
/// one.
inline std::unique_ptr<checkpoint> newest_checkpoint(std::string const &folder,
                                                     std::vector<std::string> *passed_over = {}) {
  std::string reason;
  for (std::string const &one : detail::checkpoint_folders(folder)) {
    try {
      return std::make_unique<checkpoint>(one);
    } catch (error const &fault) {
      if (reason.empty()) reason = fault.what();
      if (passed_over) passed_over->push_back(fault.what());
    }
  }
  if (!reason.empty()) throw input_error(reason);
  return nullptr;
}

/// Writes a checkpoint at the end of the first window after every period. The last two that are
/// whole are kept. While a checkpoint is written the run waits.
class checkpoints {
 public:
  using period = std::variant<epochs, rounds, std::chrono::seconds>;

  /// end: becomes true: a checkpoint is written at the next window's end, and then `*ended` is
  /// true, which may be the interrupt of run_settings. Both outlive the run.
  checkpoints(std::string folder, period every, std::atomic<bool> const *end = nullptr,
              std::atomic<bool> *ended = nullptr)
      : folder_(std::move(folder)), every_(every), end_(end), ended_(ended) {
    bool const some = std::visit(
        [](auto const &p) {
          if constexpr (requires { p.count(); })
            return p.count() > 0;
          else
            return p.count > 0;
        },
        every_);
    if (!some) throw input_error("checkpoints: every must be above 0");
  }

  void window_ended(window_end const &now) {
    bool const ends = end_ && now.any(end_->load(std::memory_order_relaxed));
    if (!is_due(now) && !ends) return;
    write(now);
    if (ends && ended_) ended_->store(true, std::memory_order_relaxed);
  }

 private:
  using clock = std::chrono::steady_clock;

  /// Alike on all ranks.
  bool is_due(window_end const &now) {
    if (auto const *const wait = std::get_if<std::chrono::seconds>(&every_))
      return now.any(now.rank == 0 && clock::now() - written_ >= *wait);
    auto const periods = [&](double epoch, std::uint64_t round) {
      auto const *const e = std::get_if<epochs>(&every_);
      return e ? static_cast<std::uint64_t>(std::floor(epoch / e->count))
               : round / std::get<rounds>(every_).count;
    };
    std::uint64_t const reached = periods(now.mark.epoch, now.mark.round);
    if (!periods_) periods_ = periods(now.begun.epoch, now.begun.round);
    return std::exchange(*periods_, reached) < reached;
  }

  void write(window_end const &now) {
    write_shard(detail::checkpoint_folder(folder_, now.windows), {now.rank, now.ranks}, now);
    written_ = clock::now();
    if (now.rank == 0) remove_old();
  }

  /// Checkpoints before the last two that are whole; ranks may still be writing the newest.
  void remove_old() const {
    constexpr std::size_t kept = 2;
    std::size_t whole = 0;
    for (std::string const &one : detail::checkpoint_folders(folder_)) {
      std::error_code failed;
      if (whole >= kept)
        std::filesystem::remove_all(one, failed);
      else
        whole += detail::is_whole(one);
    }
  }

  std::string folder_;
  period every_;
  std::atomic<bool> const *end_;
  std::atomic<bool> *ended_;
  std::optional<std::uint64_t> periods_;  // that have passed
  clock::time_point written_ = clock::now();
};

}  // namespace gossip
