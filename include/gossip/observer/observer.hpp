// The contract of an observer: an object with any of these hooks, an argument of simulator::run.
//
//   void check(observation_context &);                    before the first training; throws
//                                                         input_error
//   void begin(run_outline const &);                      before the first training
//   void measure(observation_context &, record &);        fills in what it measures
//   void take(record const &);                            after all have measured
//   void tick(progress_mark const &, double wall_seconds);   at every level; must be quick
//   void planned(plan_window const &, std::size_t nodes);  a window of the plan, before it is
//                                                         executed, on all ranks
//   void window_ended(window_end const &);                between windows of the plan; may save the
//                                                         run's state, see observer/window_end.hpp
//   void end(run_report const &);                         after the last training; not of a run in
//                                                         pieces that is left before
//
// One that keeps something from record to record may make it a part of that state:
//
//   void name_state(state_visitor const &);               the parts of its own, by name
//
// One that evaluates models on a test set has also
//
//   dataset const &test_set() const;                      for a device, which keeps and announces
//   it
//
// measure and take happen at the end of the run, and for the observers that every(epochs{1}, ...)
// wraps before anything is trained and as often as it says; a sink that is not wrapped takes every
// record. At least one hook is demanded, so that a misspelled one does not go unnoticed. A tiny
// model:
//
//   struct print_loss {
//     void take(gossip::record const &r) { std::cout << r.mark.epoch << ' ' << r.loss << '\n'; }
//   };
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/pinned.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/fleet/server_rows.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/named_tensor.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// An engine as observers see it, whatever its type. T: numbers of arithmetic. Rows: of all nodes,
/// in memory of the host. Loops: over them, on threads of the host.
template <class T, class Rows, class Loops>
class observed_models {
 public:
  virtual ~observed_models() = default;

  virtual Rows const &rows() = 0;
  virtual Rows const &rows_of_servers() = 0;
  /// Scores of some owners, and of one more model (d) where given, on samples of a test set.
  virtual std::vector<evaluation> evaluate(std::span<std::uint32_t const> owners, T const *extra,
                                           dataset const &test,
                                           std::span<std::uint32_t const> samples) = 0;
  virtual Loops const &loops() const = 0;
  /// True in the process whose observers print and write: rank 0, or the only one.
  virtual bool is_root() const = 0;
};

/// A run as measuring observers see it: the rows of all nodes, the model and the machine. T, Rows,
/// Loops: as above; Model: what holds the model of the simulator.
template <class T, class Rows, class Loops, class Model>
class observation_context {
 public:
  using value_type = T;
  using engine_type = observed_models<T, Rows, Loops>;

  /// size: of the network. evaluated: the owners of the models looked at, called nodes here.
  observation_context(engine_type &engine, Model const &model, fleet_size size, std::uint64_t seed,
                      evaluated_models evaluated = evaluated_models::nodes)
      : engine_(engine),
        model_(model),
        of_servers_(evaluated == evaluated_models::servers),
        first_(of_servers_ ? size.nodes : 0),
        size_(of_servers_ ? size_of_servers(size) : size),
        seed_(seed) {
    if (of_servers_) size_.held = fleet_size::all;
  }

  /// Loops over rows, on threads of the host.
  Loops const &loops() const { return engine_.loops(); }
  /// True in the process whose observers print and write.
  bool is_root() const { return engine_.is_root(); }
  /// Sizes and properties of the model.
  model_outline outline() const { return model_.outline(); }
  /// The tensors of a row by their names.
  std::vector<named_tensor> tensors() const { return model_.tensors(); }
  /// The model for gradients and scores on the host.
  host_model<T> const &model() {
    if (!on_host_) on_host_ = model_.on_host();
    return *on_host_;
  }
  /// Of the models looked at.
  fleet_size const &size() const { return size_; }
  std::uint64_t seed() const { return seed_; }

  /// The parameter rows of all nodes in host memory, as they are at this observation; those of
  /// servers where the exchange is evaluated there.
  Rows const &rows() {
    if (!rows_) rows_ = of_servers_ ? &engine_.rows_of_servers() : &engine_.rows();
    return *rows_;
  }

  /// Scores of some of them, and of one more model where given, on samples of a test set.
  std::vector<evaluation> evaluate(std::vector<std::uint32_t> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    for (std::uint32_t &one : nodes) one += static_cast<std::uint32_t>(first_);
    return engine_.evaluate(nodes, extra, test, samples);
  }

  /// The mean model (d), computed once an observation.
  T const *mean_model() {
    if (!mean_known_) {
      mean_.resize(size_.parameters);
      network_mean(rows(), loops(), mean_.data());
      mean_known_ = true;
    }
    return mean_.data();
  }

  /// The rows have changed since.
  void renew() {
    rows_ = nullptr;
    mean_known_ = false;
  }

 private:
  engine_type &engine_;
  Model const &model_;
  std::shared_ptr<host_model<T> const> on_host_;
  bool of_servers_;
  std::size_t first_;  // owner of the first model looked at
  fleet_size size_;
  std::uint64_t seed_;
  Rows const *rows_ = nullptr;
  std::vector<T> mean_;
  bool mean_known_ = false;
};

namespace detail {

template <class O>
concept begins = requires(O &o, run_outline const &outline) { o.begin(outline); };
template <class O, class Context>
concept checks = requires(O &o, Context &context) { o.check(context); };
template <class O, class Context>
concept measures = requires(O &o, Context &context, record &r) { o.measure(context, r); };
/// measure writes its numbers to a copy of the record.
template <class O, class Context>
concept measures_a_copy = requires(O &o, Context &context) { o.measure(context, record()); } &&
                          !requires(O &o, Context &context, pinned &r) { o.measure(context, r); };
template <class O>
concept takes = requires(O &o, record const &r) { o.take(r); };
template <class O>
concept ticks = requires(O &o, progress_mark const &mark) { o.tick(mark, 0.0); };
template <class O>
concept looks_ahead =
    requires(O &o, plan_window const &window, std::size_t nodes) { o.planned(window, nodes); };
template <class O>
concept ends_windows = requires(O &o, window_end const &now) { o.window_ended(now); };
template <class O>
concept keeps_state = requires(O &o, state_visitor const &visit) { o.name_state(visit); };
template <class O>
concept ends = requires(O &o, run_report const &report) { o.end(report); };

template <class O>
concept tests = requires(O const &o) {
  { o.test_set() } -> std::same_as<dataset const &>;
};

}  // namespace detail

/// Has at least one hook.
template <class O, class Context>
concept observer = detail::checks<O, Context> || detail::begins<O> ||
                   detail::measures<O, Context> || detail::takes<O> || detail::ticks<O> ||
                   detail::looks_ahead<O> || detail::ends_windows<O> || detail::ends<O>;

}  // namespace gossip
