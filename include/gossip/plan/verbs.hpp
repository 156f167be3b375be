// The verbs that an exchange writes its algorithm in.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
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
#include <gossip/plan/node_chance.hpp>
#include <gossip/plan/node_times.hpp>
#include <gossip/plan/operation_writer.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_verbs.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

template <class Exchange, class Compute>
class planner;

/// What an exchange is given as `plan`: every verb writes operations, moves clocks and counts
/// bytes. Made by a planner, which asks for what it has counted.
template <class Exchange, class Compute>
class plan_verbs : public scalar_verbs<plan_verbs<Exchange, Compute>, Exchange> {
  using scalars = scalar_verbs<plan_verbs, Exchange>;
  friend scalars;
  static constexpr bool in_rounds = plans_rounds<Exchange, plan_verbs>;
  friend class planner<Exchange, Compute>;

 public:
  plan_verbs(Exchange const &exchange, graph const &g, virtual_clock<Compute> const &time,
             plan_settings settings, std::vector<mixing_matrix> weights)
      : properties_(properties_of(exchange)),
        graph_(g),
        times_(time, g.nodes()),
        settings_(std::move(settings)),
        weights_(std::move(weights)),
        rows_(settings_.optimizer_rows, exchange_rows<Exchange>, declares_rows<Exchange>),
        writer_(g.nodes()),
        nodes_(g.nodes()) {
    if (weights_.empty()) weights_ = weights_on(exchange, g);  // else they were made elsewhere
    if constexpr (declares_node_state<Exchange>) state_.resize(g.nodes());
  }
  plan_verbs(plan_verbs const &) = delete;
  plan_verbs &operator=(plan_verbs const &) = delete;

  std::size_t nodes() const { return graph_.nodes(); }
  graph const &topology() const { return graph_; }

  /// Node i computes a gradient on its next batch, or on its last once more; its on_trained comes
  /// when it has finished. Once the run has had its trainings this does nothing, nor do the
  /// uncounted trainings and the step that follow.
  void train(node i) { train(i, training_rows{}); }
  [[gnu::always_inline]] void train(node i, training_rows at) {  // 3 % of planning
    planned_node &own = nodes_[i];
    if (at.counts) own.refused = started_ == settings_.node_iterations;
    if (own.refused) return;
    if (!replicas_identical<Exchange> && own.absorbed)
      refuse(i, "trains again before it has stepped by its last gradient");
    bool const usual = at.counts && at.batch == batch_choice::next;
    if (!usual) detail::count_unusual(i, own, at, replicas_identical<Exchange>);
    started_ += at.counts;
    own.absorbed = !at.into;
    writer_.train(i, rows_.train(at, !properties_.gradient_waits), own.trained - own.repeated,
                  at.counts ? 0 : operation::not_counted);
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
    if (by.gradient || properties_.gradient_waits)
      writer_.step(i, rows_.step(by), rate_now, own.stepped);
    else if (!writer_.step_at_once(i, rate_now, checked_index(own.stepped, "plan: steps")))
      refuse(i, "steps by a gradient that had to wait, but its properties say that none waits");
    if (!by.gradient) own.absorbed = false;
  }

  /// Both nodes take the mean of their models, or of another row. Node i waits for the link, node j
  /// does not.
  void average(node i, node j, row_name row = model_row) {
    on_pair<op::mean_of_two>(i, j, row, 0.0);
    bytes_ += 2 * bytes_of(row);
  }

  /// Node i takes (1 - share) of its own model and share of node j's, which does not change; or of
  /// another row.
  void combine(node i, node j, double share, row_name row = model_row) {
    on_pair<op::interpolation>(i, j, row, share);
    bytes_ += bytes_of(row);
  }

  /// A row of node i becomes the sum of up to seven rows of its own, in this order, each times its
  /// coefficient. The row itself may be among them.
  void assign(node i, row_name to, std::initializer_list<row_term> terms) {
    row_list const list = rows_.sum(to, terms);
    std::array<double, most_rows> c{};
    std::ranges::transform(terms, c.begin(), &row_term::coefficient);
    auto const code =
        static_cast<std::uint16_t>(library_functions::number_of<op::linear<1>> + terms.size() - 1);
    require_own_rows();
    if ((list.written(false) & 1) != 0) times_.write(i);
    writer_.columns_of(i, i, code, list, std::span(c).first(terms.size()));
  }
  void assign_all(row_name to, std::initializer_list<row_term> terms) {
    for (node i = 0; i < nodes(); ++i) assign(i, to, terms);
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
    std::size_t const bytes = bytes_of(row);
    bytes_ += times_.mix(w, bytes, global_barrier) * bytes;
    writer_.on_all(operation_kind::mix, 0.0, writer_.window().number_of(w),
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
    writer_.on_all(operation_kind::reduce, rate(0), rounds_reduced_);
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

 private:
  static constexpr void require_own_rows() {
    static_assert(!replicas_identical<Exchange>,
                  "gossip::plan: an exchange with identical replicas has train and reduce_all; "
                  "step, average, combine and mix_all need a model a node. See "
                  "docs/policies/exchange.md");
  }

  [[noreturn]] static void refuse(node i, std::string const &what) { detail::refuse_node(i, what); }

  std::size_t bytes_of(row_name row) const {
    return row == model_row ? settings_.message_bytes : settings_.row_bytes;
  }

  /// A function of the same row of two nodes; node i waits for it.
  template <column_function F>
  void on_pair(node i, node j, row_name row, double coefficient) {
    require_own_rows();
    if (i == j || i >= nodes() || j >= nodes())
      refuse(i, "cannot exchange with node " + std::to_string(j));
    std::uint8_t const slot = rows_.slot(row);
    times_.transfer(i, bytes_of(row));
    writer_.columns(i, j, library_functions::number_of<F>,
                    accesses_of<F>(std::array{row_access{slot}, row_access{slot, true}}),
                    coefficient);
  }

  /// Node i waits for a row of another.
  void receive(node i, row_name row) {
    times_.transfer(i, bytes_of(row));
    bytes_ += bytes_of(row);
  }

  exchange_properties properties_;
  graph const &graph_;
  node_times<Compute> times_;
  plan_settings settings_;
  std::vector<mixing_matrix> weights_;
  planned_rows rows_;
  operation_writer writer_;
  event_queue queue_;
  std::vector<planned_node> nodes_;  // (n)
  std::uint64_t started_ = 0, steps_ = 0, bytes_ = 0, sequence_ = 0, rounds_reduced_ = 0;
  std::uint64_t steps_before_round_ = 0;
  std::vector<node_state_of<Exchange>> state_;  // (n)
};

}  // namespace gossip
