// A run that has been started: it is advanced in pieces, and looked at between them.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

namespace detail {

/// A run whatever its engine and observers. Rows: of the network, in host memory.
template <class Rows>
class run_machine {
 public:
  virtual ~run_machine() = default;

  /// Executes windows until `limit` node-iterations of the run have ended, or the run has.
  virtual void advance_to(std::uint64_t limit) = 0;
  virtual bool over() const = 0;
  virtual progress_mark const &reached() const = 0;
  /// Node-iterations of the network in a period, whole or not.
  virtual double iterations(epochs e) const = 0;
  virtual double iterations(rounds r) const = 0;

  virtual Rows const &rows() = 0;
  virtual named_state state() = 0;
  virtual run_report report() = 0;
};

}  // namespace detail

/// A run that simulator::start has begun. Where nodes are spread over ranks, all ranks call the
/// same functions. Data sets, and the flag and the state that settings point to, outlive the run.
/// The hook end() of observers is called when the run is over; a run that is destroyed before then
/// never calls that hook.
template <class Rows>
class training_run {
 public:
  explicit training_run(std::unique_ptr<detail::run_machine<Rows>> machine)
      : machine_(std::move(machine)),
        wanted_(static_cast<double>(machine_->reached().node_iterations)) {}

  /// Goes on for a number of epochs or rounds, counted as node-iterations of the network, or to the
  /// end of the run. A piece of an exchange in rounds ends between two rounds, that of another
  /// exchange behind the event that ends the last of these node-iterations. Rows, records and
  /// digest of a run do not depend on its pieces; cohorts do, which a window of the plan bounds, so
  /// that short pieces are slower. Returns whether the run can go on. Throws gossip::error as
  /// simulator::run does; afterwards the run cannot be advanced.
  bool advance(epochs e) { return advance_by(machine_->iterations(e)); }
  bool advance(rounds r) { return advance_by(machine_->iterations(r)); }
  bool advance() { return advance_to(plan_window::no_limit); }

  /// Whether the run has come to its end: its length, a decision of its exchange, an interrupt.
  bool over() const { return machine_->over(); }
  /// Progress of the run: rounds, node-iterations, epochs, virtual time, bytes.
  progress_mark const &reached() const { return machine_->reached(); }

  /// The rows of the nodes in host memory, as they are now; valid until the next call. On ranks
  /// held_parameters(i) is the row of a node that this rank holds, and parameters(i), which all
  /// ranks call at once, brings the rows of the network to every rank.
  Rows const &rows() { return machine_->rows(); }

  /// A copy of all that a run needs to go on from here, see run_settings::state. Throws
  /// gossip::error where an interrupt or a failure has ended the run within a window.
  named_state state() {
    require_good();
    return machine_->state();
  }

  /// The report of the run so far; at its end that of simulator::run. Throws gossip::error where a
  /// model has a number that is not finite, or the run has failed.
  run_report report() {
    require_good();
    return machine_->report();
  }

 private:
  /// Adds up the lengths of all pieces, so that ten tenths of an epoch are one.
  bool advance_by(double iterations) {
    if (!(iterations > 0)) throw input_error("run: advance", "a length above 0", "0 or less");
    wanted_ += iterations;
    double const nearest = std::round(wanted_);
    double const whole = std::abs(wanted_ - nearest) < 1e-6 ? nearest : std::ceil(wanted_);
    return advance_to(whole < 1e15 ? static_cast<std::uint64_t>(whole) : plan_window::no_limit);
  }

  bool advance_to(std::uint64_t limit) {
    require_good();
    if (over()) return false;
    failed_ = true;
    machine_->advance_to(limit);
    failed_ = false;
    return !over();
  }

  void require_good() const {
    if (failed_) throw error("run: expected a run that can go on, got one that has failed");
  }

  std::unique_ptr<detail::run_machine<Rows>> machine_;
  double wanted_;  // node-iterations since the beginning
  bool failed_ = false;
};

}  // namespace gossip
