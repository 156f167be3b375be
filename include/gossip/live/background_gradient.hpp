// The thread of a learner that computes gradients, while another moves models; and how long a
// gradient takes.
#pragma once

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <gossip/clock/lognormal_time.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip::live {

/// Duration of a learner's gradients.
struct pace {
  double factor = 1.0;  ///< times as long as they would; what is missing is slept
  std::optional<lognormal_time> simulated{};  ///< nothing is computed: the thread sleeps so long

  void check() const {
    if (!(factor >= 1.0) || !std::isfinite(factor))
      throw input_error("live: slow-down", "a factor of at least 1", detail::shortest(factor));
    if (simulated) simulated->prepare();
  }
};

/// Computes one gradient at a time in a thread of its own. One thread uses the object.
class background_gradient {
 public:
  using clock = std::chrono::steady_clock;

  /// work(step) computes a gradient and returns its loss; it is never called twice at a time.
  background_gradient(pace speed, std::uint64_t seed, node self,
                      std::function<double(std::uint64_t)> work)
      : pace_(std::move(speed)), seed_(seed), self_(self), work_(std::move(work)) {
    pace_.check();
    thread_ = std::thread([this] { serve(); });
  }
  background_gradient(background_gradient const &) = delete;
  background_gradient &operator=(background_gradient const &) = delete;

  /// A sleep is cut short; a gradient that is being computed is waited for.
  ~background_gradient() {
    {
      std::lock_guard const guard(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Begins the gradient number `step`; what the last one left must have been taken.
  void begin(std::uint64_t step) {
    {
      std::lock_guard const guard(mutex_);
      step_ = step;
      state_ = state::working;
    }
    changed_.notify_all();
  }

  /// Waits until the gradient that is under way is there, but no longer than `longest`. Returns
  /// whether it is; where none is under way, waits and says false. Throws what the work threw.
  bool wait(std::chrono::nanoseconds longest) {
    std::unique_lock guard(mutex_);
    changed_.wait_for(guard, longest, [this] { return state_ == state::finished; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return state_ == state::finished;
  }

  /// The loss of the gradient that is there, and the seconds that it took. Afterwards none is.
  std::pair<double, double> take() {
    std::lock_guard const guard(mutex_);
    state_ = state::idle;
    return {loss_, seconds_};
  }

 private:
  enum class state { idle, working, finished };

  void serve() {
    std::unique_lock guard(mutex_);
    for (;;) {
      changed_.wait(guard, [this] { return ending_ || state_ == state::working; });
      if (ending_) return;
      std::uint64_t const step = step_;
      guard.unlock();
      auto const begin = clock::now();
      double loss = 0;
      std::exception_ptr failure;
      try {
        if (!pace_.simulated) loss = work_(step);
      } catch (...) {
        failure = std::current_exception();
      }
      auto const end = failure ? begin : begin + duration(step, clock::now() - begin);
      guard.lock();
      changed_.wait_until(guard, end, [this] { return ending_; });
      loss_ = loss;
      failure_ = failure;
      seconds_ = std::chrono::duration<double>(clock::now() - begin).count();
      state_ = state::finished;
      changed_.notify_all();
    }
  }

  /// The duration of the gradient in all, of which `worked` is over.
  clock::duration duration(std::uint64_t step, clock::duration worked) const {
    auto const normal = pace_.simulated
                            ? std::chrono::duration_cast<clock::duration>(
                                  pace_.simulated->prepare().duration(seed_, self_, step))
                            : worked;
    return std::chrono::duration_cast<clock::duration>(normal * pace_.factor);
  }

  pace pace_;
  std::uint64_t seed_;
  node self_;
  std::function<double(std::uint64_t)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  state state_ = state::idle;
  std::uint64_t step_ = 0;
  double loss_ = 0, seconds_ = 0;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace gossip::live
