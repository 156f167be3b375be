// A run that is asked to end by a signal: at its next level, or after a minute without one.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include <gossip/core/error.hpp>

namespace simulate {

/// True from the first SIGINT, SIGTERM or SIGHUP on.
std::atomic<bool> const &asked_to_end();

/// The first of these signals asks the run to end; a second does what it does without us. A program
/// that was started with nohup goes on when its terminal is gone.
void catch_signals();

/// Asks the run to end after a time, as a signal does.
void ask_to_end_after(std::chrono::nanoseconds time);

/// A run that has not come to the end of a level in time.
class not_ended : public gossip::error {
 public:
  using error::error;
};

/// Ends the process where no level ends within a minute after it has been asked to end: a library
/// that waits for memory for ever, data that take long to read, a level of hours.
class last_minute {
 public:
  last_minute() : thread_([this](std::stop_token const &over) { watch(over); }) {}

  /// A level has ended.
  void level() {
    if (asked_to_end()) reached_ = true;
  }

  /// Something that may take longer than a minute is under way.
  class long_work {
   public:
    explicit long_work(last_minute &of) : of_(of) { ++of_.long_works_; }
    long_work(long_work const &) = delete;
    long_work &operator=(long_work const &) = delete;
    ~long_work() { --of_.long_works_; }

   private:
    last_minute &of_;
  };

  /// Something to do before the process is ended, on a thread of its own; lives as long as it may
  /// be done.
  class duty {
   public:
    duty(last_minute &of, std::function<void(std::exception const &)> what);
    duty(duty const &) = delete;
    duty &operator=(duty const &) = delete;
    ~duty();

   private:
    last_minute &of_;
  };

 private:
  void watch(std::stop_token const &over);
  [[noreturn]] void give_up();

  std::mutex lock_;
  std::function<void(std::exception const &)> what_;
  std::atomic<bool> reached_ = false;
  std::atomic<int> long_works_ = 0;
  std::jthread thread_;  // the last: it uses all others
};

}  // namespace simulate
