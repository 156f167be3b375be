// A progress bar with rate and time left, on a terminal; silent where standard error is none.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>

namespace gossip {

class progress {
 public:
  progress() : enabled_(isatty(STDERR_FILENO) == 1) {}
  /// Draws whether standard error is a terminal or not.
  explicit progress(bool enabled) : enabled_(enabled) {}

  void begin(run_outline const &outline) { total_ = outline.node_iterations; }

  void tick(progress_mark const &mark, double wall_seconds) {
    if (!enabled_ || wall_seconds < next_) return;
    next_ = wall_seconds + 0.1;
    draw(mark, wall_seconds);
  }

  void take(record const &r);

  void end(run_report const &) {
    if (enabled_) std::fputc('\n', stderr);
  }

  /// "[=====     ]  50 %  epoch 1.00  271 it/s  12 s left"
  static std::string line(progress_mark const &mark, std::uint64_t total, double wall_seconds);

 private:
  void draw(progress_mark const &mark, double wall_seconds) const {
    std::fprintf(stderr, "\r%s%s\033[K", line(mark, total_, wall_seconds).c_str(), latest_.c_str());
    std::fflush(stderr);
  }

  bool enabled_;
  std::uint64_t total_ = 0;
  double next_ = 0;
  std::string latest_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/progress.ipp>
#endif
