// Turns topology, clock and exchange into operations. It knows no weights, no data and no device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/virtual_clock.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/plan/node_times.hpp>
#include <gossip/plan/observation_cadences.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_name.hpp>
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
        rows_(settings_.optimizer_rows, exchange_rows<Exchange>, declares_rows<Exchange>),
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
  void train(node i, training_rows at = {}) {
    planned_node &own = nodes_[i];
    own.refused = started_ == settings_.node_iterations;
    if (own.refused) return;
    if (!replicas_identical<Exchange> && own.absorbed)
      refuse(i, "trains again before it has stepped by its last gradient");
    ++started_;
    own.training = at.into ? nowhere : window_->stream.size();
    own.absorbed = !at.into;
    auto const &[list, into] = rows_.train(at, !properties_.gradient_waits);
    emit(
        {operation_kind::train, false, into, depths_.train(i, list), i, 0, list, 0.0, own.trained});
    virtual_time const end = times_.train(settings_.seed, i, own.trained++);
    if constexpr (!in_rounds) queue_.push({end, i, sequence_++});
  }

  /// Node i moves by the gradient it computed last, or by what its optimizer makes of a row that is
  /// taken for one.
  void step(node i, step_rows by = {}) {
    require_own_rows();
    planned_node &own = nodes_[i];
    if (own.refused) return;
    if (!by.gradient) detail::require_gradient(i, own);
    double const rate_now = rate(i);
    ++steps_;
    ++own.stepped;
    times_.write(i);
    if (by.gradient || properties_.gradient_waits) {
      auto const &[list, from] = rows_.step(by);
      emit({operation_kind::step, false, from, depths_.touch(i, i, list), i, i, list, rate_now,
            own.stepped});
    } else {
      if (own.training == nowhere)
        refuse(i, "steps by a gradient that had to wait, but its properties say that none waits");
      operation &o = window_->stream[own.training];
      o.steps_at_once = true;
      o.coefficient = rate_now;
      o.b = checked_index(own.stepped, "plan: steps of a node");
    }
    if (!by.gradient) own.absorbed = false;
    own.training = nowhere;
  }

  /// Both nodes take the mean of their models, or of another row. Node i waits for the link, node j
  /// does not.
  void average(node i, node j, row_name row = model_row) {
    std::uint8_t const s = rows_.slot(row);
    std::size_t const bytes = bytes_of(row);
    on_pair<op::mean_of_two>(i, j, s, s, 0.5, bytes);
    bytes_ += 2 * bytes;
  }

  /// Node i takes (1 - share) of its own model and share of node j's, which does not change; or of
  /// another row.
  void combine(node i, node j, double share, row_name row = model_row) {
    std::uint8_t const s = rows_.slot(row);
    std::size_t const bytes = bytes_of(row);
    on_pair<op::interpolation>(i, j, s, s, share, bytes);
    bytes_ += bytes;
  }

  /// A row of node i becomes the sum of up to seven rows of its own, in this order, each times its
  /// coefficient. The row itself may be among them.
  void assign(node i, row_name to, std::initializer_list<row_term> terms) {
    require_own_rows();
    if (terms.size() < 1 || terms.size() >= most_rows)
      refuse(i, "cannot assign " + std::to_string(terms.size()) + " terms; expected 1 to 7");
    row_list list{{rows_.slot(to), false, false, true}};
    for (row_term const &term : terms) list.add({rows_.slot(term.row)});
    std::uint64_t const first = window_->coefficients.size();
    if (terms.size() > 1)
      for (row_term const &term : terms) window_->coefficients.push_back(term.coefficient);
    auto const code =
        static_cast<std::uint16_t>(library_functions::number_of<op::linear<1>> + terms.size() - 1);
    on_own_rows(i, code, list, terms.begin()->coefficient, first);
  }
  void assign_all(row_name to, std::initializer_list<row_term> terms) {
    for (node i = 0; i < nodes(); ++i) assign(i, to, terms);
  }

  /// A column function on rows of node i, in the function's order, with its coefficients.
  template <column_function F>
  void apply(node i, std::initializer_list<row_name> rows,
             std::initializer_list<double> coefficients = {}) {
    require_own_rows();
    if (rows.size() != F::rows || coefficients.size() != F::coefficients)
      refuse(i, "applies a column function of " + std::to_string(F::rows) + " rows and " +
                    std::to_string(F::coefficients) + " coefficients to " +
                    std::to_string(rows.size()) + " rows with " +
                    std::to_string(coefficients.size()));
    std::array<row_access, F::rows> named{};
    std::size_t k = 0;
    for (row_name const row : rows) named[k++].slot = rows_.slot(row);
    std::uint64_t const first = window_->coefficients.size();
    if (coefficients.size() > 1)
      window_->coefficients.insert(window_->coefficients.end(), coefficients);
    on_own_rows(i, functions_of<Exchange>::columns::template number_of<F>, accesses_of<F>(named),
                coefficients.size() > 0 ? *coefficients.begin() : 0.0, first);
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

  void train_all(training_rows at = {}) {
    for (node i = 0; i < nodes(); ++i) train(i, at);
  }
  void step_all(step_rows by = {}) {
    for (node i = 0; i < nodes(); ++i) step(i, by);
  }

  /// X <- W X of the models. A node waits for the rows of those it depends on, or with a global
  /// barrier for all.
  void mix_all(mixing_matrix const &w, bool global_barrier = false) {
    mix_all(model_row, w, global_barrier);
  }

  /// The same of another row.
  void mix_all(row_name row, mixing_matrix const &w, bool global_barrier = false) {
    mix_all_by<op::weighted_sum>(row, w, global_barrier);
  }

  /// Another function in the place of the weighted sum, such as op::coordinate_median: all nodes
  /// are changed at once.
  template <neighborhood_function F>
  void mix_all_by(row_name row, mixing_matrix const &w, bool global_barrier = false) {
    require_own_rows();
    std::uint8_t const slot = rows_.slot(row);
    if (w.rows() != nodes())
      throw error("exchange: mix_all: expected a matrix of " + std::to_string(nodes()) +
                  " rows, got " + std::to_string(w.rows()));
    for (node i = 0; i < nodes(); ++i) touch(i);
    std::size_t const bytes = bytes_of(row);
    bytes_ += times_.mix(w, bytes, global_barrier) * bytes;
    emit_for_all(operation_kind::mix, 0.0, window_->number_of(w),
                 functions_of<Exchange>::neighborhoods::template number_of<F>,
                 {{slot, false, true, true}});
  }

  void mix_all(mixing_matrix const &&, bool = false) = delete;  // must outlive the run, unchanged
  void mix_all(row_name, mixing_matrix const &&, bool = false) = delete;

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
    emit_for_all(operation_kind::reduce, rate(0), rounds_reduced_);
  }

  /// The coefficients of round k, of those that the exchange declared with weights(graph).
  mixing_matrix const &weights(round_number k) const {
    static_assert(
        requires(Exchange const &x, graph const &g) { x.weights(g); },
        "gossip::plan: weights needs an exchange with mixing_matrix weights(graph const "
        "&) const. See docs/policies/exchange.md");
    return weights_[k % weights_.size()];
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
  void emit_for_all(operation_kind kind, double coefficient, std::uint64_t count,
                    std::uint16_t code = 0, row_list const &list = {}) {
    emit({kind, false, code, depths_.touch_all(), 0, 0, list, coefficient, count});
  }

  void touch(node i) { nodes_[i].training = nowhere; }

  std::size_t bytes_of(row_name row) const {
    return row == model_row ? settings_.message_bytes : settings_.row_bytes;
  }

  /// A function of a row of node i and one of node j; node i waits for so many bytes.
  template <column_function F>
  void on_pair(node i, node j, std::uint8_t own, std::uint8_t other, double coefficient,
               std::size_t bytes) {
    require_own_rows();
    require_pair(i, j);
    touch(i);
    touch(j);
    times_.transfer(i, bytes);
    row_list const list = accesses_of<F>(std::array{row_access{own}, row_access{other, true}});
    emit({operation_kind::columns, false, library_functions::number_of<F>,
          depths_.touch(i, j, list), i, j, list, coefficient, 0});
  }

  void on_own_rows(node i, std::uint16_t code, row_list const &list, double coefficient,
                   std::uint64_t first) {
    touch(i);
    if ((list.written(false) & 1) != 0) times_.write(i);
    emit({operation_kind::columns, false, code, depths_.touch(i, i, list), i, i, list, coefficient,
          first});
  }

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
    emit_for_all(operation_kind::observe, 0.0, window_->observations.size());
    window_->observations.push_back({mark(), due, finished_});
  }

  Exchange exchange_;
  exchange_properties properties_;
  graph const &graph_;
  node_times<Compute> times_;
  plan_settings settings_;
  observation_cadences cadences_;
  std::vector<mixing_matrix> weights_;
  planned_rows rows_;
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
