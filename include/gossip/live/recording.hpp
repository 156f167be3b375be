// Record of one learner of a live run: how long its iterations took, how long it waited for
// others, and its exchanges.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip::live {

/// One gradient that was applied, on the wall clock of its learner.
struct iteration_record {
  std::int64_t working_ns;  ///< from its begin to that of the next, without the wait
  std::int64_t waiting_ns;  ///< the gradient was there, and others were not
};

/// One exchange of a learner with others, on its own clock, which begins with the run.
struct exchange_record {
  node partner;  ///< the neighbour that was asked; the learner itself where there are several
  std::uint32_t number;  ///< the gradient, from 0 on, beside or behind which it took place
  std::int64_t begin_ns, end_ns;
  std::uint64_t bytes;  ///< that the learner sent of models or gradients
};
static_assert(std::is_trivially_copyable_v<iteration_record> &&
              std::is_trivially_copyable_v<exchange_record>);

/// The records of one learner.
struct learner_record {
  std::vector<iteration_record> iterations;
  std::vector<exchange_record> exchanges;
};

/// Measures the iterations of a learner, always, which costs a look at the clock now and then;
/// keeps a record of each, and of its exchanges, where that is asked for, the first 2^20 of both.
class recording {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr std::size_t most = std::size_t{1} << 20;

  void keep() { keeps_ = true; }
  /// The common start of the run.
  void start() { start_ = clock::now(); }

  /// A gradient begins; the last iteration, if it was applied, ends.
  void begin() {
    auto const now = clock::now();
    end(now);
    begun_ = now;
    there_ = seen_ = false;
  }
  /// The gradient is there.
  void ready() {
    if (!there_) ready_ = clock::now();
    there_ = true;
  }
  /// Nobody is waited for any more; what follows is the learner's own work.
  void resume() {
    if (seen_) return;
    resumed_ = there_ ? clock::now() : begun_;
    if (!there_) ready_ = begun_;
    seen_ = true;
  }
  /// The gradient has been applied.
  void applied() {
    resume();
    applied_ = clock::now();
    open_ = true;
  }
  /// The run is over for this learner; a gradient that was not applied is not recorded.
  void finish() { end(applied_); }

  /// An exchange that began then ends now; none where nothing was sent.
  void exchanged(node partner, std::uint64_t number, clock::time_point began, std::size_t bytes) {
    if (!keeps_ || bytes == 0 || kept_.exchanges.size() == most) return;
    kept_.exchanges.push_back({partner, static_cast<std::uint32_t>(number), since_start(began),
                               since_start(clock::now()), bytes});
  }

  double waiting_seconds() const { return std::chrono::duration<double>(waited_).count(); }
  learner_record const &kept() const { return kept_; }

 private:
  void end(clock::time_point now) {
    if (!open_) return;
    open_ = false;
    auto const waiting = resumed_ - ready_;
    waited_ += waiting;
    if (keeps_ && kept_.iterations.size() < most)
      kept_.iterations.push_back({nanoseconds(now - begun_ - waiting), nanoseconds(waiting)});
  }
  static std::int64_t nanoseconds(clock::duration d) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count();
  }
  std::int64_t since_start(clock::time_point t) const { return nanoseconds(t - start_); }

  bool keeps_ = false, open_ = false;  // open: applied, and the next has not begun
  bool there_ = false, seen_ = false;
  clock::time_point start_{}, begun_{}, ready_{}, resumed_{}, applied_{};
  clock::duration waited_{};
  learner_record kept_;
};

}  // namespace gossip::live
