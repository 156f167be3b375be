// The place of a sweep on the terminal.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace simulate {

/// A line a finished run, and how far all are, with the time left.
class sweep_display {
 public:
  sweep_display(bool quiet, std::size_t runs)
      : quiet_(quiet), bar_(!quiet && isatty(STDERR_FILENO) == 1), done_(runs, 0.0) {}

  void progress(std::size_t run, double share) {
    done_[run] = share;
    auto const now = std::chrono::steady_clock::now();
    if (!bar_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    draw();
  }
  /// A run that an earlier process has finished.
  void keep(std::size_t run) {
    done_[run] = 1;
    ++finished_;
    ++kept_;
  }
  void finish(std::size_t run, std::string const &line) {
    done_[run] = 1;
    ++finished_;
    if (bar_) std::fputs("\r\033[K", stderr);
    if (!quiet_) {
      std::string const all = std::to_string(done_.size()), number = std::to_string(finished_);
      std::cout << '[' << std::string(all.size() - number.size(), ' ') << number << '/' << all
                << "] " << line << std::endl;
    }
    if (bar_) draw();
  }
  /// A line beside those of the runs.
  void say(std::string const &line) const {
    if (quiet_) return;
    if (bar_) std::fputs("\r\033[K", stderr);
    std::cout << line << std::endl;
    if (bar_) draw();
  }
  void close() const {
    if (bar_) std::fputs("\r\033[K", stderr);
  }

 private:
  void draw() const {
    double done = 0;  // runs
    for (double const one : done_) done += one;
    double const here = done - static_cast<double>(kept_);
    double const left = std::max(0.0, static_cast<double>(done_.size()) - done);
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin_;
    std::fprintf(stderr, "\r%zu of %zu runs done, %.0f %% of all", finished_, done_.size(),
                 100 * done / static_cast<double>(done_.size()));
    if (here > 0) std::fprintf(stderr, ", %.0f s left", taken.count() * left / here);
    std::fputs("\033[K", stderr);
    std::fflush(stderr);
  }

  bool quiet_, bar_;
  std::vector<double> done_;  // share of each run
  std::size_t finished_ = 0, kept_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), next_ = begin_;
};

}  // namespace simulate
