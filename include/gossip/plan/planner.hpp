// Turns topology, clock and exchange into operations. It knows no weights, no data and no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/virtual_clock.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/plan/node_times.hpp>
#include <gossip/plan/observation_cadences.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// The plan of one run, window after window. The verbs from train to state are what an exchange
/// writes its algorithm in.
template <class Exchange, class Compute>
class planner {
  static constexpr bool in_rounds = plans_rounds<Exchange, planner>;
  static constexpr std::size_t nowhere = planned_node::nowhere;

 public:
  planner(Exchange const &exchange, graph const &g, virtual_clock<Compute> const &time,
          plan_settings settings, std::vector<mixing_matrix> weights = {})
      : exchange_(exchange),
        properties_(properties_of(exchange)),
        graph_(g),
        times_(time, g.nodes()),
        settings_(std::move(settings)),
        cadences_(settings_.cadences),
        weights_(std::move(weights)),
        depths_(g.nodes()),
        nodes_(g.nodes()) {
    if (weights_.empty()) weights_ = weights_on(exchange, g);  // else they were made elsewhere
    if constexpr (declares_node_state<Exchange>) state_.resize(g.nodes());
  }
  planner(planner const &) = delete;
  planner &operator=(planner const &) = delete;

  // Verbs of an exchange ------------------------------------------------------------------------

  std::size_t nodes() const { return graph_.nodes(); }
  graph const &topology() const { return graph_; }

  /// Node i computes a gradient on its next batch; its on_trained comes when it has finished. Once
  /// the run has had its trainings this does nothing, nor does the step that follows.
  void train(node i) {
    nodes_[i].refused = started_ == settings_.node_iterations;
    if (nodes_[i].refused) return;
    if (!replicas_identical<Exchange> && nodes_[i].trained > nodes_[i].stepped)
      refuse(i, "trains again before it has stepped by its last gradient");
    ++started_;
    nodes_[i].training = window_->stream.size();
    emit({operation_kind::train, false, i, i, depths_.train(i), 0.0, nodes_[i].trained, 0});
    virtual_time const end = times_.train(settings_.seed, i, nodes_[i].trained++);
    if constexpr (!in_rounds) queue_.push({end, i, sequence_++});
  }

  /// Node i moves by the gradient it computed last.
  void step(node i) {
    require_own_rows();
    auto &own = nodes_[i];
    if (own.refused) return;
    detail::require_gradient(i, own);
    double const rate_now = rate(i);
    ++steps_;
    ++own.stepped;
    times_.write(i);
    if (!properties_.gradient_waits) {
      if (own.training == nowhere)
        refuse(i, "steps by a gradient that had to wait, but its properties say that none waits");
      operation &o = window_->stream[own.training];
      o.steps_at_once = true;
      o.coefficient = rate_now;
      o.after = own.stepped;
    } else {
      emit({operation_kind::step, false, i, i, depths_.touch(i), rate_now, own.stepped, 0});
    }
    own.training = nowhere;
  }

  /// Both nodes take the mean of their models. Node i waits for the link, node j does not.
  void average(node i, node j) {
    require_own_rows();
    require_pair(i, j);
    touch(i);
    touch(j);
    times_.transfer(i, settings_.message_bytes);
    bytes_ += 2 * settings_.message_bytes;
    emit({operation_kind::average, false, i, j, depths_.touch(i, j), 0.5, 0, 0});
  }

  /// Node i takes (1 - share) of its own model and share of node j's, which does not change.
  void combine(node i, node j, double share) {
    require_own_rows();
    require_pair(i, j);
    touch(i);
    touch(j);
    times_.transfer(i, settings_.message_bytes);
    bytes_ += settings_.message_bytes;
    emit({operation_kind::combine, false, i, j, depths_.touch(i, j), share, 0, 0});
  }

  /// A neighbour of node i, uniformly at random; i must have one.
  node random_neighbor(node i) {
    return detail::draw_neighbor(graph_, settings_.seed, i, nodes_[i].draws++);
  }

  bool has_neighbor(node i) const { return graph_.degree(i) > 0; }

  /// The next random number of node i, keyed by (seed, purpose::exchange, i, number of its draw):
  /// uniform in [0, 1), or true with probability p.
  double random(node i) { return detail::draw_uniform(settings_.seed, i, nodes_[i].chances++); }
  bool chance(node i, double p) {
    return detail::draw_chance(settings_.seed, i, nodes_[i].chances++, p);
  }

  void train_all() {
    for (node i = 0; i < nodes(); ++i) train(i);
  }
  void step_all() {
    for (node i = 0; i < nodes(); ++i) step(i);
  }

  /// X <- W X. A node waits for the models of those it listens to, or with a global barrier for
  /// all.
  void mix_all(mixing_matrix const &w, bool global_barrier = false) {
    require_own_rows();
    if (w.rows() != nodes())
      throw error("exchange: mix_all: expected a matrix of " + std::to_string(nodes()) +
                  " rows, got " + std::to_string(w.rows()));
    for (node i = 0; i < nodes(); ++i) touch(i);
    bytes_ += times_.mix(w, settings_.message_bytes, global_barrier) * settings_.message_bytes;
    emit({operation_kind::mix, false, 0, 0, depths_.touch_all(), 0.0, window_->number_of(w), 0});
  }

  void mix_all(mixing_matrix const &&, bool = false) = delete;  // must outlive the run, unchanged

  /// The one model that all share steps by the mean of this round's gradients. Bytes of a ring:
  /// each node sends 2 (n - 1) / n of a model.
  void reduce_all() {
    static_assert(replicas_identical<Exchange>,
                  "gossip::plan: reduce_all needs an exchange whose properties() have "
                  "replicas_identical = true. See docs/policies/exchange.md");
    if (started_ != (rounds_reduced_ + 1) * nodes())
      throw error("exchange: reduce_all: expected one training of every node since the last");
    ++rounds_reduced_;
    steps_ += nodes();
    std::size_t const share = 2 * (nodes() - 1) * settings_.message_bytes / nodes();
    times_.reduce(share);
    bytes_ += nodes() * share;
    emit({operation_kind::reduce, false, 0, 0, depths_.touch_all(), rate(0), rounds_reduced_, 0});
  }

  /// The coefficients the exchange declared with weights(graph): the same in every round.
  mixing_matrix const &weights(round_number) const {
    static_assert(
        requires(Exchange const &x, graph const &g) { x.weights(g); },
        "gossip::plan: weights needs an exchange with mixing_matrix weights(graph const "
        "&) const. See docs/policies/exchange.md");
    return weights_.front();
  }

  /// The learning rate now, one for all nodes; throughout a round it is that of its beginning.
  double rate(node) const { return rate(); }
  double rate() const {
    std::uint64_t const steps = in_rounds ? steps_before_round_ : steps_;
    return settings_.rate(settings_.epoch.after(steps));
  }

  /// The exchange's own bookkeeping of node i.
  auto &state(node i) {
    static_assert(declares_node_state<Exchange>,
                  "gossip::plan: state needs an exchange with struct node_state. See "
                  "docs/policies/exchange.md");
    return state_[i];
  }

  // Windows -------------------------------------------------------------------------------------

  /// Fills the next window (4 n trainings or what is left); false where the run is over.
  bool next(plan_window &window) {
    window.expect(8 * nodes());
    if (finished_) return false;
    window_ = &window;
    depths_.clear();
    for (planned_node &own : nodes_) own.training = nowhere;
    std::uint64_t const enough = started_ + 4 * nodes();
    if constexpr (in_rounds)
      plan_rounds(enough);
    else
      plan_events(enough);
    window.end = mark();
    window.sort_levels();
    return true;
  }

 private:
  static constexpr void require_own_rows() {
    static_assert(!replicas_identical<Exchange>,
                  "gossip::plan: an exchange with identical replicas has train and reduce_all; "
                  "step, average, combine and mix_all need a model a node. See "
                  "docs/policies/exchange.md");
  }

  [[noreturn]] static void refuse(node i, std::string const &what) { detail::refuse_node(i, what); }

  void require_pair(node i, node j) const {
    if (i == j || i >= nodes() || j >= nodes())
      refuse(i, "cannot exchange with node " + std::to_string(j));
  }

  void emit(operation const &o) { window_->stream.push_back(o); }

  void touch(node i) { nodes_[i].training = nowhere; }

  void plan_rounds(std::uint64_t enough) {
    while (started_ < enough && !finished_) {
      std::uint64_t const before = started_;
      steps_before_round_ = steps_;
      exchange_.on_round(*this, round_++);
      if (started_ == before) detail::refuse_idle_round(round_ - 1);
      now_ = times_.latest();
      finished_ = started_ >= settings_.node_iterations;
      observe_if_due();
    }
  }

  void plan_events(std::uint64_t enough) {
    if (started_ == 0) {
      if constexpr (requires { exchange_.on_start(*this); })
        exchange_.on_start(*this);
      else
        train_all();
      require_trainings();
    }
    while (started_ < enough && !queue_.empty()) {
      event const e = queue_.first();
      queue_.pop();
      now_ = e.time;
      times_.resume(e.who, now_);
      exchange_.on_trained(*this, e.who);
      finished_ = queue_.empty();
      require_trainings();
      observe_if_due();
    }
  }

  void require_trainings() const {
    if (queue_.empty() && started_ < settings_.node_iterations)
      detail::refuse_dry_events(started_, settings_.node_iterations);
  }

  progress_mark mark() const {
    return {in_rounds ? round_ : steps_ / nodes(), steps_, settings_.epoch.after(steps_), now_,
            bytes_};
  }

  void observe_if_due() {
    std::uint64_t const due = cadences_.due(steps_, finished_);
    if (due == 0 && !finished_) return;
    for (auto &own : nodes_) own.training = nowhere;
    emit({operation_kind::observe, false, 0, 0, depths_.touch_all(), 0.0,
          window_->observations.size(), 0});
    window_->observations.push_back({mark(), due, finished_});
  }

  Exchange exchange_;
  exchange_properties properties_;
  graph const &graph_;
  node_times<Compute> times_;
  plan_settings settings_;
  observation_cadences cadences_;
  std::vector<mixing_matrix> weights_;
  depths depths_;
  event_queue queue_;
  std::vector<planned_node> nodes_;  // (n)
  plan_window *window_ = nullptr;
  std::uint64_t started_ = 0, steps_ = 0, bytes_ = 0, sequence_ = 0, rounds_reduced_ = 0;
  std::uint64_t steps_before_round_ = 0;
  round_number round_ = 0;
  virtual_time now_{0};
  bool finished_ = false;
  std::vector<node_state_of<Exchange>> state_;  // (n)
};

}  // namespace gossip
