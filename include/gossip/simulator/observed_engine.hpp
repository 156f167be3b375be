// An engine and its observers as a run loop sees them, whatever their types: the loop and the state
// of a run are compiled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/arithmetic.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/causes.hpp>
#include <gossip/simulator/observers.hpp>

namespace gossip::detail {

/// The members are those of engines (engine/engine.hpp) and of run_observers.
class observed_engine {
 public:
  virtual ~observed_engine() = default;

  virtual bool run(plan_window const &window, std::function<void(observation const &)> const &look,
                   std::function<bool()> const &stop) = 0;
  virtual progress_mark reached(progress_mark const &before, plan_window const &window) const = 0;
  virtual void pass_over(plan_window const &window) = 0;
  virtual double take_mean_loss() = 0;
  virtual void name_state(state_visitor const &visit) = 0;

  virtual bool is_root() const = 0;
  virtual std::size_t rank() const = 0;
  virtual std::size_t ranks() const = 0;
  virtual bool any(bool here) = 0;
  virtual void begin(run_outline const &run) = 0;
  virtual void measure(observation const &o, record &r) = 0;
};

/// The process whose observers print and write: rank 0, or the only one.
template <class Engine>
bool is_root(Engine const &engine) {
  if constexpr (requires { engine.is_root(); })
    return engine.is_root();
  else
    return true;
}

/// An engine's models for the observers of a run; the engine outlives it.
template <class Engine, class T, class Rows, class Loops>
class models_of_engine final : public observed_models<T, Rows, Loops> {
 public:
  explicit models_of_engine(Engine &engine) : engine_(engine), loops_(engine.host_loops()) {}

  Rows const &rows() override { return engine_.host_rows(); }
  Rows const &rows_of_servers() override { return engine_.host_rows_of_servers(); }
  std::vector<evaluation> evaluate(std::span<std::uint32_t const> owners, T const *extra,
                                   dataset const &test,
                                   std::span<std::uint32_t const> samples) override {
    return engine_.evaluate(owners, extra, test, samples);
  }
  Loops const &loops() const override { return loops_; }
  bool is_root() const override { return detail::is_root(engine_); }

 private:
  Engine &engine_;
  Loops loops_;
};

/// All of them outlive it.
template <class Engine, class Context>
class observed final : public observed_engine {
 public:
  /// answers and pauses: of the run, as they come.
  observed(Engine &engine, Context &context, run_observers<Context> const &observers,
           run_causes const &causes, std::vector<double> const &answers,
           std::vector<std::uint64_t> const &pauses)
      : engine_(engine),
        context_(context),
        observers_(observers),
        causes_(causes),
        answers_(answers),
        pauses_(pauses) {}

  bool run(plan_window const &window, std::function<void(observation const &)> const &look,
           std::function<bool()> const &stop) override {
    ++windows_;
    try {
      return engine_.run(window, [&](observation const &o) { look(o); }, [&] { return stop(); });
    } catch (row_fault const &fault) {
      std::string const sentence =
          causes_.sentence(fault, windows_, answers_, pauses_,
                           [&](node i, std::uint8_t slot) { return engine_.extreme(i, slot); });
      tell_ranks(sentence);
      throw diverged(sentence);
    } catch (std::exception const &fault) {
      tell_ranks(fault.what());
      throw;
    }
  }
  progress_mark reached(progress_mark const &before, plan_window const &window) const override {
    return engine_.reached(before, window);
  }
  /// A piece of the run has ended: nothing is on its way between ranks until the next.
  void end_piece() {
    if constexpr (requires { engine_.end_piece(); }) engine_.end_piece();
  }
  void pass_over(plan_window const &window) override {
    ++windows_;
    engine_.pass_over(window);
  }
  double take_mean_loss() override { return engine_.losses().take_mean(); }
  void name_state(state_visitor const &visit) override { engine_.name_state(visit); }

  bool is_root() const override { return detail::is_root(engine_); }
  std::size_t rank() const override {
    if constexpr (requires { engine_.rank(); })
      return engine_.rank();
    else
      return 0;
  }
  std::size_t ranks() const override {
    if constexpr (requires { engine_.ranks(); })
      return engine_.ranks();
    else
      return 1;
  }
  bool any(bool here) override {
    if constexpr (requires { engine_.any(here); })
      return engine_.any(here);
    else
      return here;
  }
  void begin(run_outline const &run) override {
    require_arithmetic();
    observers_.begin(context_, run, is_root());
  }
  void measure(observation const &o, record &r) override { observers_.measure(context_, o, r); }

 private:
  void tell_ranks(std::string const &sentence) const {
    if constexpr (requires { engine_.failing(sentence); }) engine_.failing(sentence);
  }

  Engine &engine_;
  Context &context_;
  run_observers<Context> const &observers_;
  run_causes const &causes_;
  std::vector<double> const &answers_;
  std::vector<std::uint64_t> const &pauses_;
  std::size_t windows_ = 0;
};

}  // namespace gossip::detail
