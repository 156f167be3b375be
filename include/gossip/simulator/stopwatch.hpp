// Time spent training and time spent looking, kept apart.
#pragma once

#include <chrono>
#include <optional>

#include <gossip/core/named_state.hpp>

namespace gossip::detail {

class stopwatch {
 public:
  double training() const {
    return (seconds(stopped_.value_or(steady::now()) - begin_) - looking_).count();
  }
  double looking() const { return looking_.count(); }

  /// Runs f on the other account.
  template <class F>
  void look(F f) {
    auto const before = steady::now();
    f();
    looking_ += steady::now() - before;
  }

  /// Between stop() and go_on() no time is counted.
  void stop() { stopped_ = steady::now(); }
  void go_on() {
    if (stopped_) begin_ += steady::now() - *stopped_;
    stopped_.reset();
  }

  /// A run goes on with the seconds that it had taken.
  void name_state(state_visitor const &visit) {
    double trained = training(), looked = looking();
    visit.value("wall seconds of training", trained);
    visit.value("wall seconds of looking", looked);
    looking_ = seconds(looked);
    begin_ = stopped_.value_or(steady::now()) -
             std::chrono::duration_cast<steady::duration>(seconds(trained + looked));
  }

 private:
  using steady = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;
  steady::time_point begin_ = steady::now();
  std::optional<steady::time_point> stopped_;
  seconds looking_{0};
};

}  // namespace gossip::detail
