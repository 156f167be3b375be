// Definitions of observer/progress.hpp.
#pragma once

#include <gossip/observer/progress.hpp>

#include <cmath>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void progress::take(record const &r) {
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

GOSSIP_INLINE std::string progress::line(progress_mark const &mark, std::uint64_t total,
                                         double wall_seconds) {
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
  std::snprintf(text, sizeof text, "[%s] %3.0f %%  epoch %.2f  %.0f it/s  %.0f s left", bar.c_str(),
                100.0 * done, mark.epoch, rate, left);
  return text;
}

}  // namespace gossip
