// The verbs that an exchange writes its algorithm in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/data_verbs.hpp>
#include <gossip/plan/decision.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/function_names.hpp>
#include <gossip/plan/message_verbs.hpp>
#include <gossip/plan/network_of_rounds.hpp>
#include <gossip/plan/network_verbs.hpp>
#include <gossip/plan/node_times.hpp>
#include <gossip/plan/node_verbs.hpp>
#include <gossip/plan/operation_writer.hpp>
#include <gossip/plan/pair_verbs.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_verbs.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/sum_verbs.hpp>
#include <gossip/plan/timer_verbs.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

template <class Exchange>
class planner;

/// The `plan` that an exchange is given: every verb writes operations, moves clocks and counts
/// bytes. Made by a planner, which reads these counts.
template <class Exchange>
class plan_verbs : public message_verbs<plan_verbs<Exchange>, message_state_of<Exchange>>,
                   public network_verbs<plan_verbs<Exchange>>,
                   public scalar_verbs<plan_verbs<Exchange>>,
                   public decision_verbs<plan_verbs<Exchange>>,
                   public timer_verbs<plan_verbs<Exchange>>,
                   public data_verbs<plan_verbs<Exchange>, Exchange>,
                   public pair_verbs<plan_verbs<Exchange>>,
                   public node_verbs<plan_verbs<Exchange>> {
  using messages = message_verbs<plan_verbs, message_state_of<Exchange>>;
  using network = network_verbs<plan_verbs>;
  using scalars = scalar_verbs<plan_verbs>;
  friend scalars;
  static constexpr bool shared = replicas_identical<Exchange>;
  static constexpr bool in_rounds = plans_rounds<Exchange, plan_verbs>;
  static constexpr bool with_messages = takes_messages<Exchange, plan_verbs>;
  static constexpr bool with_payloads = with_messages || exchange_edge_rows<Exchange> > 0;
  static constexpr bool with_timers = takes_timers<Exchange, plan_verbs>;
  static constexpr bool with_items = with_messages || with_timers;
  using item = std::conditional_t<with_items, numbered_item, no_item>;
  friend class planner<Exchange>;
  using decisions = decision_verbs<plan_verbs>;
  static constexpr bool with_answers = takes_answers<Exchange, plan_verbs>;
  friend decisions;
  friend data_verbs<plan_verbs, Exchange>;
  friend timer_verbs<plan_verbs>;
  friend node_verbs<plan_verbs>;
  friend pair_verbs<plan_verbs>;
  friend messages;
  friend sum_verbs<plan_verbs>;
  friend network;

 public:
  plan_verbs(Exchange const &exchange, graph const &g, prepared_clock const &time,
             plan_settings settings, by_round<mixing_matrix> weights)
      : messages(g, servers(), settings.outboxes),
        decisions(settings.answers),
        data_verbs<plan_verbs, Exchange>(exchange),
        exchange_(exchange),
        properties_(properties_of(exchange)),
        network_(g, *properties_.when_network_changes),
        times_(times_of<node_clock>({time, g.nodes(), servers(), settings.seed, settings.times},
                                    in_rounds, false)),
        settings_(std::move(settings)),
        participants_(time.participation, this->has_population() ? 0 : g.nodes(), settings_.seed,
                      in_rounds && times_->excludes()),
        weights_(std::move(weights)),
        rows_(settings_.optimizer_rows, exchange_rows<Exchange>, declares_rows<Exchange>),
        functions_(settings_.functions, settings_.functions_are_all),
        writer_(g.nodes() + servers() + (with_payloads ? payloads_of(settings_.outboxes) : 0)),
        nodes_(g.nodes() + servers()) {
    if (weights_.empty()) weights_ = weights_on(exchange, g);  // else they were made elsewhere
    if constexpr (prepares<Exchange>) prepared_ = exchange.prepare(g);
    if constexpr (declares_node_state<Exchange>) state_.resize(g.nodes() + servers());
  }
  plan_verbs(plan_verbs const &) = delete;
  plan_verbs &operator=(plan_verbs const &) = delete;

  std::size_t nodes() const { return network_.all().nodes(); }
  /// The network; of one that changes by rounds the graph of this round, or that of round k. These
  /// and the next are refused on a network that changes if the exchange ignores that.
  graph const &topology() const { return network_.now(); }
  graph const &topology(round_number k) const { return network_.of(k); }
  /// The union of the graphs of all rounds, whose edges have the rows of edges and the messages.
  graph const &union_of_rounds() const { return network_.united(); }
  static constexpr std::size_t servers() { return exchange_servers<Exchange>; }
  static constexpr std::size_t edge_rows() { return exchange_edge_rows<Exchange>; }

  /// The result of the exchange's prepare(graph), made once.
  auto const &prepared() const {
    static_assert(
        prepares<Exchange>,
        "gossip::plan: prepared needs an exchange with auto prepare(graph const &) const. "
        "See docs/policies/exchange.md");
    return prepared_;
  }

  /// Node i computes a gradient on its next batch, or on its last once more; its on_trained comes
  /// when it has finished. In events this does nothing once the run has had its trainings, nor do
  /// the uncounted trainings and the step that follow; a round is planned to its end.
  void train(node i) { train(i, training_rows{}); }
  [[gnu::always_inline]] void train(node i, training_rows at) {  // 3 % of planning
    this->require_owner("train", i);
    if (servers() > 0 && i >= nodes()) refuse(i, "is a server, which trains nothing");
    planned_node &own = nodes_[i];
    if (at.counts) own.refused = in_rounds ? !participants_.present(i) : trains_no_more();
    if (own.refused) return;
    if constexpr (with_items) times_->wait_until(i, now_);
    if (!times_->always_up()) [[unlikely]]
      if (times_->never_trains(i, own.trained)) return lose(i);
    if (!replicas_identical<Exchange> && own.absorbed)
      refuse(i, "trains again before it has stepped by its last gradient");
    bool const usual = at.counts && at.batch == batch_choice::next;
    if (!usual) detail::count_unusual(i, own, at, replicas_identical<Exchange>);
    started_ += at.counts;
    own.absorbed = !at.into;
    work::train const work = this->training(i, own, at);
    bool const writes = !properties_.gradient_waits;
    planned_rows::named const *rows = &rows_.train(writes);
    planned_rows::named other;
    if (at.at != model_row || at.into) rows = &(other = rows_.train(at, writes));
    writer_.train(i, *rows, work);
    virtual_time const end = times_->train(i, own.trained++);
    ++training_;
    if constexpr (!in_rounds)
      if (end != owner_times<node_clock>::never) push(end, event_kind::trained, i);
  }
  /// True once the run has had its trainings, so that in events nobody trains again.
  bool trains_no_more() const { return started_ >= settings_.node_iterations; }

  /// Node i moves by the gradient it computed last, or by what its optimizer makes of a row that is
  /// taken for one.
  [[gnu::always_inline]] void step(node i, step_rows const &by = {}) {  // 4 % of planning
    require_own_rows();
    this->require_owner("step", i);
    planned_node &own = nodes_[i];
    if (own.refused) return refused_step(i);
    if (by.displacement) return step_and_leave(i, by);
    double const rate_now = rate();
    steps_ += by.counts;
    ++own.stepped;
    times_->write(i);
    if (by.gradient) return writer_.step(i, rows_.step(*by.gradient), rate_now, own.stepped);
    detail::require_gradient(i, own);
    own.absorbed = false;
    if (properties_.gradient_waits)
      writer_.step(i, rows_.step(), rate_now, own.stepped);
    else if (!writer_.step_at_once(i, rate_now, checked_index(own.stepped, "plan: steps")))
      refuse(i,
             "steps by a gradient that had to wait, but its properties say that no gradient waits");
  }

  /// Node iterations of the run: so many gradients count now, where no step counts them. For steps
  /// by several gradients (with .counts = false) and for gradients that are thrown away.
  void count_gradients(std::size_t gradients) { steps_ += gradients; }

  /// Number of rows that the optimizer of a node keeps; optimizer_row(k) names each of them.
  std::size_t optimizer_rows() const { return settings_.optimizer_rows; }

  /// The optimizer of node i forgets what it has kept, and counts its steps from 1.
  void reset_optimizer(node i) {
    require_own_rows();
    this->require_owner("reset_optimizer", i);
    for (std::size_t k = 0; k < settings_.optimizer_rows; ++k)
      writer_.columns(i, i, number_of<op::clear>(), rows_.optimizer_cleared(k), 0.0);
    nodes_[i].stepped = 0;
  }

  /// The coefficients of round k, of those that the exchange declared with weights(graph).
  mixing_matrix const &weights(round_number k) const {
    static_assert(
        requires(Exchange const &x, graph const &g) { x.weights(g); },
        "gossip::plan: weights needs an exchange with mixing_matrix weights(graph const "
        "&) const. See docs/policies/exchange.md");
    return weights_[k];
  }

  /// The learning rate now, one for all nodes; throughout a round it is that of its beginning.
  double rate(node i) const { return this->require_owner("rate", i), rate(); }
  double rate() const {
    if constexpr (!in_rounds) return rate_after(steps_);
    if (!round_rate_) round_rate_ = rate_after(steps_before_round_);
    return *round_rate_;
  }

  /// The exchange's own bookkeeping of node i.
  auto &state(node i) {
    static_assert(declares_node_state<Exchange>,
                  "gossip::plan: state needs an exchange with struct node_state. See "
                  "docs/policies/exchange.md");
    this->require_owner("state", i);
    return state_[i];
  }

 private:
  double rate_after(std::uint64_t steps) const {
    return settings_.rate(settings_.epoch.after(steps));
  }
  void begin_round(round_number k) {
    network_.begin(k);
    round_rate_.reset();
    steps_before_round_ = steps_;
  }

  static constexpr void require_own_rows() {
    static_assert(
        !replicas_identical<Exchange>,
        "gossip::plan: an exchange with identical replicas has train and reduce_all; step, "
        "average, combine and mix_all need one model per node. See docs/policies/exchange.md");
  }

  /// Node i is down for good before a training would end: it trains and steps no more.
  [[gnu::noinline]] void lose(node i) {
    if (in_rounds && !times_->excludes()) refuse_wait("all wait", i);
    nodes_[i].refused = nodes_[i].lost = true;
    times_->give_up(i, nodes_[i].trained);
  }
  [[gnu::noinline]] void refused_step(node i) {
    if (nodes_[i].lost) times_->give_up_writing(i);
  }

  /// A step whose displacement goes to a row; apart, for a recursive step is not inlined.
  [[gnu::noinline]] void step_and_leave(node i, step_rows const &by) {
    if (by.displacement->kept_by != row_name::keeper::exchange || by.displacement == by.gradient)
      refuse(i, "leaves its displacement in a row that a step needs; expected a row of its own");
    this->assign(i, *by.displacement, {{1, model_row}});
    step(i, {by.gradient, by.counts});
    this->assign(i, *by.displacement, {{1, *by.displacement}, {-1, model_row}});
  }

  void push(virtual_time at, event_kind kind, node i, std::uint32_t number = 0) {
    basic_event<item> e{at, basic_event<item>::place_of(kind, i), sequence_++};
    if constexpr (with_items) e.item = {number};
    queue_.push(e);
  }

  [[noreturn]] static void refuse(node i, std::string const &what) { detail::refuse_node(i, what); }

  /// The number of a function in operations.
  template <plan_function F>
  [[gnu::always_inline]] std::uint16_t number_of() {
    return functions_.template number<F>(writer_.window().functions);
  }
  std::uint8_t slot(row_name row) const { return rows_.slot(row); }
  std::size_t bytes_of(bool whole) const {
    return whole ? settings_.message_bytes : settings_.row_bytes;
  }
  std::size_t bytes_of(row_name row) const { return bytes_of(row == model_row); }
  std::size_t bytes_of(fragment const &only) const {
    return settings_.row_bytes / settings_.columns * only.count;
  }
  /// Node i waits for so many bytes from node j.
  void receive(node i, node j, std::size_t bytes) {
    times_->transfer(i, j, bytes, false);
    bytes_ += bytes;
  }

  Exchange const &exchange_;
  exchange_properties properties_;
  network_of_rounds network_;
  std::unique_ptr<owner_times<node_clock>> times_;
  plan_settings settings_;
  participants participants_;
  by_round<mixing_matrix> weights_;
  planned_rows rows_;
  function_names functions_;
  operation_writer writer_;
  event_queue<item> queue_;
  virtual_time now_{0};
  bool between_trainings_ = false;   // in on_message or on_timer
  std::uint64_t training_ = 0;       // of event exchanges: trainings that have not ended
  std::vector<planned_node> nodes_;  // (n + servers)
  std::uint64_t started_ = 0, steps_ = 0, bytes_ = 0, sequence_ = 0, rounds_reduced_ = 0;
  std::uint64_t steps_before_round_ = 0;      // of exchanges in rounds, as round_rate_
  mutable std::optional<double> round_rate_;  // none until the round asks for it
  prepared_of<Exchange> prepared_;
  std::vector<node_state_of<Exchange>> state_;  // (n + servers)
};

}  // namespace gossip
