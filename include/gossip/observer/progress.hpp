// A progress bar with rate and time left, on a terminal; silent where standard error is none.
#pragma once

#include <unistd.h>

#include <cmath>
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

  void take(record const &r) {
    if (!enabled_) return;
    latest_.clear();
    char text[64];
    if (r.accuracy) {
      std::snprintf(text, sizeof text, "  accuracy %.1f %%", 100.0 * r.accuracy->mean);
      latest_ = text;
    } else if (std::isfinite(r.loss)) {  // nothing has been trained at the start
      std::snprintf(text, sizeof text, "  loss %.4f", r.loss);
      latest_ = text;
    }
    draw(r.mark, r.wall_seconds);
  }

  void end(run_report const &) {
    if (enabled_) std::fputc('\n', stderr);
  }

  /// "[=====     ]  50 %  epoch 1.00  271 it/s  12 s left"
  static std::string line(progress_mark const &mark, std::uint64_t total, double wall_seconds) {
    double const done =
        total > 0 ? static_cast<double>(mark.node_iterations) / static_cast<double>(total) : 1.0;
    double const rate =
        wall_seconds > 0 ? static_cast<double>(mark.node_iterations) / wall_seconds : 0.0;
    double const left = rate > 0 ? static_cast<double>(total - mark.node_iterations) / rate : 0.0;
    constexpr std::size_t width = 24;
    auto const filled = static_cast<std::size_t>(done * static_cast<double>(width));
    std::string bar(width, ' ');
    bar.replace(0, filled, filled, '=');
    char text[128];
    std::snprintf(text, sizeof text, "[%s] %3.0f %%  epoch %.2f  %.0f it/s  %.0f s left",
                  bar.c_str(), 100.0 * done, mark.epoch, rate, left);
    return text;
  }

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
