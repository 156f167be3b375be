// The plan of a run, and the verbs that an exchange writes its algorithm in.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/arrived_weights.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/plan/brought_rows.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/decision.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/exchange_calls.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/function_names.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/messages_in_flight.hpp>
#include <gossip/plan/network_of_rounds.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/plan/operation_writer.hpp>
#include <gossip/plan/owner_times.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

class window_planner;

/// A mixture of some of a row's columns, by a matrix that is made for it.
struct fragment_mixture {
  mixing_matrix weights;
  fragment columns;
};

/// The plan of a run, which handlers of an exchange are given: every verb writes operations, moves
/// clocks and counts bytes. Made by a planner.
///
/// A fragment is a range of a row's trainable columns. A verb that takes one reads and writes these
/// columns alone, and a message of a fragment has the bytes of its columns and no statistics of a
/// model. A sum with messages that are fragments changes their columns, which must be the same,
/// unless a fragment is given that all of them hold.
class plan {
 public:
  virtual ~plan() = default;
  plan(plan const &) = delete;
  plan &operator=(plan const &) = delete;

  // The network ---------------------------------------------------------------------------------

  /// Number of nodes.
  std::size_t nodes() const { return network_.all().nodes(); }
  /// The network; of a network that changes by rounds the graph of this round. Throws error where
  /// the network changes and the exchange ignores that, as topology(k) and union_of_rounds() do.
  graph const &topology() const { return network_.now(); }
  /// The graph of round k.
  graph const &topology(round_number k) const { return network_.of(k); }
  /// The union of the graphs of all rounds, whose edges have the rows of edges.
  graph const &union_of_rounds() const { return network_.united(); }
  /// Number of servers that the exchange declares.
  std::size_t servers() const { return facts_.servers; }
  /// Number of rows of every edge that the exchange declares.
  std::size_t edge_rows() const { return facts_.edge_rows; }

  /// Server k, from 0 on, an owner of rows that trains nothing. Its rows begin as every node's.
  node server(std::size_t k) const;
  /// True where owner i is a server.
  bool is_server(node i) const {
    require_owner("is_server", i);
    return i >= nodes();
  }

  /// True where node i has a neighbor in this round's network; a server has none.
  bool has_neighbor(node i) const {
    require_owner("has_neighbor", i);
    return i < nodes() && topology().degree(i) > 0;
  }

  /// A neighbor of node i in this round's network, uniformly at random; i must have one. In events
  /// a neighbor that i reaches now, or any of its neighbors where i reaches none.
  [[gnu::always_inline]] node random_neighbor(node i) {
    require_node("random_neighbor", i);
    std::span<node const> among = topology().neighbors(i);
    if (!in_rounds_)
      if (!times_->always_up()) among = reached_among(i, among);
    return detail::draw_neighbor(among, settings_.seed, i, nodes_[i].draws++);
  }

  /// True where node i takes part in this round, or client i, where the exchange has more shares of
  /// the data than nodes.
  bool takes_part(std::size_t i) const {
    if (i >= data_shares()) [[unlikely]]
      detail::refuse_unknown("takes_part", i, data_shares(), 0);
    return participants_.takes_part(i);
  }
  /// True where all take part in this round.
  bool all_take_part() const { return participants_.are_all(); }

  // The data ------------------------------------------------------------------------------------

  /// True where shares of the data belong to clients that work on nodes, and not to the nodes.
  bool has_population() const { return !drawn_.empty(); }
  /// Number of shares of the training data.
  std::size_t data_shares() const { return drawn_.empty() ? nodes() : drawn_.size(); }

  /// Training samples of a share; share i is that of node i, where the exchange has no more shares.
  /// 1 where a model is its own data. A plan without data, such as a dry run's, takes equal shares.
  double samples(node share) const;

  /// The trainable columns of a model, which all rows have.
  std::size_t columns() const { return settings_.columns; }
  /// The tensors of the trainable columns; none where the planner is told none.
  row_tensors tensors() const { return row_tensors(settings_.tensors); }
  /// Bytes of a number of a row on the wire.
  std::size_t bytes_of_number() const { return settings_.row_bytes / columns(); }
  /// Fragment k of n nearly equal fragments of the trainable columns, k from 0 to n - 1.
  fragment fragment_of(std::size_t k, std::size_t n) const {
    return detail::nth_fragment(k, n, columns());
  }

  // Chance --------------------------------------------------------------------------------------

  /// The next random number of node i, uniform in [0, 1), keyed by (seed, purpose::exchange, i,
  /// number of the draw).
  double random(node i) {
    require_owner("random", i);
    return detail::draw_uniform(settings_.seed, i, nodes_[i].chances++);
  }
  /// True with probability p, by the next random number of node i.
  bool chance(node i, double p) {
    require_owner("chance", i);
    return detail::draw_chance(settings_.seed, i, nodes_[i].chances++, p);
  }

  // Trainings and steps -------------------------------------------------------------------------

  /// Node i computes a gradient on its next batch, or on its last once more; in events its
  /// on_trained comes when it has finished. This does nothing, nor do the uncounted trainings and
  /// the step that follow, once an exchange in events has had its trainings, of a node that is
  /// absent from a round, and of one that is down for good. Throws error for a server, and for a
  /// second gradient before a step.
  void train(node i) { train(i, training_rows{}); }
  /// The same at the row `at.at`, into the row `at.into`, on the batch and the share that `at`
  /// names; at.counts: the training is a node-iteration of the run.
  [[gnu::always_inline]] void train(node i, training_rows at) {  // inlined: 3 % of planning
    require_owner("train", i);
    if (servers() > 0 && i >= nodes()) refuse(i, "is a server, which trains nothing");
    planned_node &own = nodes_[i];
    if (at.counts) own.refused = in_rounds_ ? !participants_.present(i) : trains_no_more();
    if (own.refused) return;
    if (has_items_) times_->wait_until(i, now_);
    if (!times_->always_up()) [[unlikely]]
      if (times_->never_trains(i, own.trained)) return lose(i);
    if (!facts_.replicas_identical && own.absorbed)
      refuse(i, "trains again before it has stepped by its last gradient");
    bool const usual = at.counts && at.batch == batch_choice::next;
    if (!usual) detail::count_unusual(i, own, at, facts_.replicas_identical);
    started_ += at.counts;
    own.absorbed = !at.into;
    work::train const work = training(i, own, at);
    bool const writes = !facts_.properties.gradient_waits;
    if (at.at == model_row && !at.into)
      writer_.train(i, rows_.train(writes), work);
    else
      writer_.train(i, rows_.train(at, writes), work);
    virtual_time const end = times_->train(i, own.trained++);
    ++training_;
    if (!in_rounds_)
      if (end != owner_times::never) push(end, event_kind::trained, i);
  }
  /// True once the run has had its trainings, so that in events nobody trains again.
  bool trains_no_more() const { return started_ >= settings_.node_iterations; }

  /// Node i moves by the gradient it computed last, or by what its optimizer makes of a row that is
  /// taken for one (by.gradient). by.displacement: a row that takes the model before less the model
  /// behind. by.counts: the step is a node-iteration of the run.
  [[gnu::always_inline]] void step(node i, step_rows const &by = {}) {  // inlined: 4 %
    require_own_rows();
    require_owner("step", i);
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
    if (facts_.properties.gradient_waits)
      writer_.step(i, rows_.step(), rate_now, own.stepped);
    else if (!writer_.step_at_once(i, rate_now, checked_index(own.stepped, "plan: steps")))
      refuse(i,
             "steps by a gradient that had to wait, but its properties say that no gradient waits");
  }

  /// Counts this many node-iterations of the run, where no step counts them: for steps by several
  /// gradients (with .counts = false) and for gradients that are thrown away.
  void count_gradients(std::size_t gradients) { steps_ += gradients; }

  /// Number of rows that the optimizer of a node keeps; optimizer_row(k) names each of them.
  std::size_t optimizer_rows() const { return settings_.optimizer_rows; }

  /// The optimizer of node i forgets what it has kept, and counts its steps from 1.
  void reset_optimizer(node i);

  /// train() of every node.
  void train_all(training_rows at = {}) {
    for (node i = 0; i < nodes(); ++i) train(i, at);
  }
  /// step() of every node.
  void step_all(step_rows by = {}) {
    for (node i = 0; i < nodes(); ++i) step(i, by);
  }

  /// The learning rate now, one for all nodes; throughout a round it is that of its beginning.
  /// Throws error where there is no owner i.
  double rate(node i) const { return require_owner("rate", i), rate(); }
  /// The learning rate now.
  double rate() const {
    if (!in_rounds_) return rate_after(steps_);
    if (!round_rate_) round_rate_ = rate_after(steps_before_round_);
    return *round_rate_;
  }

  // Rows of one node ----------------------------------------------------------------------------

  /// A row of node i becomes the sum of up to seven rows of its own, in this order, each times its
  /// coefficient. The row itself may be among them.
  void assign(node i, row_name to, std::initializer_list<row_term> terms) {
    assign_within(i, to, terms, fragment::every());
  }
  /// The same of the columns of a fragment.
  void assign(node i, row_name to, std::initializer_list<row_term> terms,
              std::same_as<fragment> auto only) {
    detail::require_fragment(i, only, columns());
    assign_within(i, to, terms, only);
  }

  /// A row of node i becomes the sum of rows of its own and of rows of messages to it, each times
  /// its coefficient, in this order.
  void assign(node i, row_name to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held) {
    assign_held(i, to, own, held, columns_of(i, held));
  }
  /// The same of the columns of a fragment, which all of the messages must have.
  void assign(node i, row_name to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held, fragment const &only) {
    require_within(i, held, only);
    assign_held(i, to, own, held, only);
  }

  /// Adds rows of messages to a row of node i, each to the columns that it has.
  void add(node i, row_name to, std::vector<message_term> const &held);
  /// The same to the columns of a fragment, which all of the messages must have.
  void add(node i, row_name to, std::vector<message_term> const &held, fragment const &only);

  /// assign() of every node.
  void assign_all(row_name to, std::initializer_list<row_term> terms) {
    for (node i = 0; i < nodes(); ++i) assign(i, to, terms);
  }
  /// assign() of every node, of the columns of a fragment.
  void assign_all(row_name to, std::initializer_list<row_term> terms, fragment const &only) {
    for (node i = 0; i < nodes(); ++i) assign(i, to, terms, only);
  }

  // Pairs of nodes ------------------------------------------------------------------------------

  /// Both nodes take the mean of their models, or of another row: two messages. Node i waits until
  /// both have arrived, node j does not wait. Where a message is lost, both keep what they have.
  [[gnu::always_inline]] void average(node i, node j, row_name row = model_row) {
    on_pair<op::mean_of_two>(i, j, row, 0.0, true);
  }
  /// The same of the columns of a fragment.
  void average(node i, node j, row_name row, fragment const &only) {
    on_pair<op::mean_of_two>(i, j, row, {}, only, true);
  }

  /// In events: average() by messages that leave now, or when `after` is over, and travel while
  /// node i goes on. Returns the end of the messages, for wait_until.
  completion average_beside(node i, node j, completion const &after = {}, row_name row = model_row);

  /// Node i takes (1 - share) of its own model, or of another row, and share of node j's, which
  /// does not change: one message, which node i waits for.
  void combine(node i, node j, double share, row_name row = model_row) {
    detail::require_finite("combine", i, share);
    on_pair<op::interpolation>(i, j, row, share, false);
  }
  /// The same of the columns of a fragment.
  void combine(node i, node j, double share, row_name row, fragment const &only) {
    detail::require_finite("combine", i, share);
    coefficient const given[] = {share};
    on_pair<op::interpolation>(i, j, row, given, only, false);
  }

  // All nodes -----------------------------------------------------------------------------------

  /// The matrix (n, n) of round k among the matrices that the exchange declared with
  /// weights(graph).
  mixing_matrix const &weights(round_number k) const {
    require_form(!weights_.empty(),
                 "gossip::plan: weights needs an exchange with mixing_matrix weights(graph const "
                 "&) const. See docs/policies/exchange.md");
    return weights_[k];
  }

  /// X <- W X of the models X (n, columns). W (n, n): a matrix that the exchange declared, or
  /// another one, of which the plan keeps a copy as long as it is needed. One message for each
  /// entry of W that is not on the diagonal; a node waits for the messages to it, or with a global
  /// barrier for all messages. Throws error where W has another shape.
  void mix_all(mixing_matrix const &w, bool global_barrier = false) {
    mix_all(model_row, w, global_barrier);
  }

  /// The same of a row in the place of the model.
  void mix_all(row_name row, mixing_matrix const &w, bool global_barrier = false) {
    mix_all_by(op::weighted_sum{}, row, w, global_barrier);
  }
  /// mix_all(); returns w itself, or where messages are lost or nodes absent the weights that are
  /// left, which the next mixture replaces.
  mixing_matrix const &mix_and_return_weights(row_name row, mixing_matrix const &w,
                                              bool global_barrier = false) {
    return mixed<op::weighted_sum>(row, w, global_barrier);
  }

  /// mix_all() with another function of a neighborhood in the place of the weighted sum, such as
  /// op::coordinate_median{}.
  template <neighborhood_function F>
  void mix_all_by(F, row_name row, mixing_matrix const &w, bool global_barrier = false) {
    mixed<F>(row, w, global_barrier);
  }

  /// Fragments of a row, each mixed by a matrix of its own: their messages leave together, and a
  /// node waits for the messages of all fragments.
  void mix_fragments(row_name row, std::vector<fragment_mixture> const &parts,
                     bool global_barrier = false);

  /// The one model of identical replicas steps by the mean of this round's gradients.
  /// Time and bytes of the clock's collective: on a ring each node sends 2 (n - 1) / n of a model.
  /// Throws error unless every node has trained once since the last.
  void reduce_all();

  /// The models of all nodes, or another row, become their mean, by one sum over the network; the
  /// order of addition does not change the result. Time and bytes of the clock's collective: on a
  /// ring each node sends 2 (n - 1) / n of a row. Given a fragment, only its columns.
  void average_all(row_name row = model_row, fragment const &only = fragment::every());

  /// The same of rows that nodes have encoded, one of each node in ascending order: codes go round
  /// a ring of n - 1 turns, since sums of codes would need the bytes of whole rows.
  void average_all(std::vector<encoded_row> const &rows);

  /// The terms whose rows reach owner i for sum_to. Owner i also waits for rows that are lost,
  /// which count their bytes.
  std::vector<node_term> arriving(node i, std::vector<node_term> terms, row_name from);

  /// A row of owner i, a node or a server, becomes the sum of the terms, each a weight times a row
  /// of another owner, which sends it, or of owner i. Owner i waits for all messages. The order of
  /// addition does not change the result. 1 to 2^22 terms.
  void sum_to(node i, row_name to, std::vector<node_term> const &terms, row_name from);

  // Messages ------------------------------------------------------------------------------------
  //
  // A message is a row that the sender had when it sent it, with its message_state. It arrives
  // after the time of its transfer, at a node that need not be free; then, or in rounds when
  // deliver() is called, on_message comes. After on_message it is gone, unless it was kept, until
  // drop().

  /// Node i sends node j the sum of rows of its own, then of rows of messages, each times its
  /// coefficient. Node i does not wait.
  void send(node i, node j, std::initializer_list<row_term> own,
            std::vector<message_term> const &held = {}) {
    send_to(i, {j}, own, held);
  }

  /// The same to several receivers, of which none may be named twice: one copy for all, and a
  /// message each.
  void send_to(node i, std::vector<node> const &receivers, std::initializer_list<row_term> own,
               std::vector<message_term> const &held = {}) {
    summed_rows const row[] = {{{own.begin(), own.size()}, held}};
    post(i, receivers, row, columns_of(i, held));
  }

  /// Node i sends the columns of a fragment alone.
  void send(node i, node j, std::initializer_list<row_term> own, std::same_as<fragment> auto only,
            std::vector<message_term> const &held = {}) {
    send_fragments(i, {{j, only}}, own, held);
  }
  /// Sends each receiver its fragment of one copy.
  void send_fragments(node i, std::vector<fragment_receiver> const &receivers,
                      std::initializer_list<row_term> own,
                      std::vector<message_term> const &held = {}) {
    summed_rows const row[] = {{{own.begin(), own.size()}, held}};
    post_fragments(i, receivers, row);
  }

  /// A message of several rows, m.part(k) of its receiver.
  void send(node i, node j, message_parts const &what) { send_to(i, {j}, what); }
  /// The same to several receivers.
  void send_to(node i, std::vector<node> const &receivers, message_parts const &what);
  /// Sends each receiver its fragment of each of several rows.
  void send_fragments(node i, std::vector<fragment_receiver> const &receivers,
                      message_parts const &what) {
    post_fragments(i, receivers, terms_of(what));
  }

  /// Node i sends an encoded row of its own.
  void send(node i, node j, encoded_row const &what) { send_to(i, {j}, what); }
  /// The same to several receivers.
  void send_to(node i, std::vector<node> const &receivers, encoded_row const &what);

  /// The message of on_message stays behind it, until drop(). Throws error for any other message.
  void keep(message_header const &m);
  /// The end of a message that was kept: it is not read again on this node.
  void drop(message_header const &m) { boxes_.drop(m); }

  /// In rounds: calls on_message for every message on its way, ascending by receiver, sender and
  /// number; a receiver waits until the message has arrived. With a delay only for messages that
  /// were also on their way `delay` calls before.
  void deliver(std::uint64_t delay = 0);

  // Rows of edges -------------------------------------------------------------------------------

  /// Row `number` of the edge from node i to its neighbour j, which node i keeps; zeros at first.
  /// It has the parameters' columns, and is read where messages are. A network that changes has the
  /// edges of its rounds' union.
  edge_row edge(node i, node j, std::size_t number = 0) const;

  /// A row of an edge becomes the sum of rows of the node that keeps it, and of rows of messages
  /// and edges of that node, itself among them or not, each times its coefficient.
  void assign(edge_row const &to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held = {}) {
    write_payload(to, {{own.begin(), own.size()}, held}, 0, columns_of(to.from, held));
  }
  /// The same of the columns of a fragment.
  void assign(edge_row const &to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held, fragment const &only) {
    require_within(to.from, held, only);
    write_payload(to, {{own.begin(), own.size()}, held}, 0, only);
  }
  /// Adds such a sum to a row of an edge.
  void add(edge_row const &to, std::initializer_list<row_term> own,
           std::vector<message_term> const &held = {}) {
    write_payload(to, {{own.begin(), own.size()}, held}, 1, columns_of(to.from, held));
  }
  /// The same of the columns of a fragment.
  void add(edge_row const &to, std::initializer_list<row_term> own,
           std::vector<message_term> const &held, fragment const &only) {
    require_within(to.from, held, only);
    write_payload(to, {{own.begin(), own.size()}, held}, 1, only);
  }

  // Functions of rows, and scalars --------------------------------------------------------------

  /// A row function over the columns of the parameters of node i's rows: the sum of its terms, or
  /// the largest, as the function says. The number is known in the run, not in the plan.
  template <row_function F>
  scalar reduce(F, node i, std::array<row_name, F::rows> const &rows) {
    begin_functions(i);
    return writer_.reduce_rows(i, i, number_of<F>(), accesses(rows));
  }

  /// reduce() of rows of node i and, as the last, a row of node j, for whose message i waits.
  template <row_function F>
  scalar reduce(F, node i, std::array<row_name, F::rows - 1> const &rows, node j, row_name row) {
    begin_functions(i);
    row_list list = accesses(rows);
    list.add({brought(i, j, row), true});
    return writer_.reduce_rows(i, j, number_of<F>(), list);
  }

  /// reduce() of a row of node j and a row of node l, for whose messages i waits, but for its own.
  template <row_function F>
    requires(F::rows == 2)
  scalar reduce(F, node i, node j, row_name row_of_j, node l, row_name row_of_l) {
    begin_functions(i);
    if (j == l)
      refuse(i, "reduces two rows of node " + std::to_string(j) +
                    "; expected rows of two different nodes");
    row_list list;
    row_access first, second;
    first.slot = i == j ? rows_.slot(row_of_j) : brought(i, j, row_of_j);
    second.slot = i == l ? rows_.slot(row_of_l) : brought(i, l, row_of_l);
    second.of_second = true;
    list.add(first);
    list.add(second);
    return writer_.reduce_rows_of_others(i, j, l, number_of<F>(), list);
  }

  /// reduce() of rows of node i and, as the last, the row of a message or an edge that node i has.
  template <row_function F>
  scalar reduce(F, node i, std::array<row_name, F::rows - 1> const &rows,
                message_header const &held) {
    begin_functions(i);
    node const payload = required(i, held).payload;
    if (!held.columns.is_every()) refuse_fragment(i, "reduces", held.columns);
    row_list list = accesses(rows);
    list.add({0, true, true, false, true});
    return writer_.reduce_rows(i, payload, number_of<F>(), list);
  }

  /// A scalar function of any number of scalars of node i, and of numbers of the plan.
  template <list_function F>
  scalar compute(F, node i, std::vector<scalar> const &scalars,
                 std::array<double, F::numbers> const &numbers = {}) {
    begin_functions(i);
    if (scalars.empty()) refuse(i, "computes a scalar from no scalar; expected at least one");
    std::vector<coefficient> operands(numbers.begin(), numbers.end());
    operands.insert(operands.end(), scalars.begin(), scalars.end());
    return writer_.compute(i, number_of<F>(), operands);
  }

  /// A scalar function of scalars of node i and numbers of the plan.
  template <scalar_function F>
    requires(!list_function<F>)
  scalar compute(F, node i, std::array<scalar, F::scalars> const &scalars,
                 std::array<double, F::numbers> const &numbers = {}) {
    begin_functions(i);
    std::array<coefficient, F::scalars + F::numbers> const operands = joined<F>(scalars, numbers);
    return writer_.compute(i, number_of<F>(), operands);
  }

  /// A column function or a whole-row function on rows of node i, in the function's order, with
  /// coefficients that are numbers or scalars of node i.
  template <class F>
    requires column_function<F> || whole_row_function<F>
  void apply(F, node i, std::array<row_name, F::rows> const &rows,
             std::array<coefficient, F::coefficients> const &coefficients = {}) {
    row_list const list = rows_.template named_by<F>(rows);
    begin_functions(i, list.written(false));
    write<F>(i, i, list, coefficients);
  }

  /// apply() whose last row is a row of node j, for whose message i waits; it does not change.
  template <class F>
    requires column_function<F> || whole_row_function<F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, node j, row_name row,
             std::array<coefficient, F::coefficients> const &coefficients = {}) {
    row_list const list = with_second<F>(rows, {rows_.slot(row), true});
    begin_functions(i, list.written(false));
    brought(i, j, row);
    write<F>(i, j, list, coefficients);
  }

  /// apply() whose last row is the row of a message or an edge that node i has.
  template <class F>
    requires column_function<F> || whole_row_function<F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, message_header const &held,
             std::array<coefficient, F::coefficients> const &coefficients = {}) {
    node const payload = required(i, held).payload;
    if (whole_row_function<F> && !held.columns.is_every())
      refuse_fragment(i, "gives a function of whole rows", held.columns);
    row_list const list = with_second<F>(rows, {0, true, true, false, true});
    begin_functions(i, list.written(false));
    write<F>(i, payload, list, coefficients, held.columns);
  }

  /// A column function on the columns of a fragment alone.
  template <column_function F>
  void apply(F, node i, std::array<row_name, F::rows> const &rows,
             std::array<coefficient, F::coefficients> const &coefficients, fragment const &only) {
    detail::require_fragment(i, only, columns());
    row_list const list = rows_.template named_by<F>(rows);
    begin_functions(i, list.written(false));
    write<F>(i, i, list, coefficients, only);
  }
  template <column_function F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, node j, row_name row,
             std::array<coefficient, F::coefficients> const &coefficients, fragment const &only) {
    detail::require_fragment(i, only, columns());
    row_list const list = with_second<F>(rows, {rows_.slot(row), true});
    begin_functions(i, list.written(false));
    require_other(i, j);
    if (brought_.brings(i, j, rows_.slot(row), only)) receive(i, j, bytes_of(only));
    write<F>(i, j, list, coefficients, only);
  }
  template <column_function F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, message_header const &held,
             std::array<coefficient, F::coefficients> const &coefficients, fragment const &only) {
    message_term const read[] = {{1, held}};
    require_within(i, read, only);
    node const payload = required(i, held).payload;
    row_list const list = with_second<F>(rows, {0, true, true, false, true});
    begin_functions(i, list.written(false));
    write<F>(i, payload, list, coefficients, only);
  }

  /// A row of node i becomes what receivers of its code decode. Returns its name with the bytes
  /// that it takes in a message until it is written again. A codec that draws takes a random number
  /// of node i. Of a choice of codecs the chosen one.
  template <codec_choice Choice>
  encoded_row encode(node i, row_name row, Choice const &choice) {
    return choice.with([&](auto const &codec) { return encode(i, row, codec); });
  }
  template <single_codec Codec>
  encoded_row encode(node i, row_name row, Codec const &codec) {
    using function = typename Codec::function;
    std::size_t const columns = settings_.columns;
    codec.check();
    auto const given = coefficients_of(codec, columns, [&] { return random(i); });
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      apply(function{}, i, {row}, {coefficient(given[K])...});
    }(std::make_index_sequence<function::coefficients>{});
    std::size_t const numbers = bytes_of(false), statistics = bytes_of(row) - numbers;
    return {i, row, codec.bytes(columns, numbers / columns) + statistics};
  }

  // Time ----------------------------------------------------------------------------------------

  /// f(), which plans operations that take no virtual time and send no bytes: for what a simulation
  /// knows and no node could, such as attackers who see all models.
  template <class F>
  void at_no_cost(F f) {
    auto const bytes = bytes_;
    times_->at_no_cost(f);
    bytes_ = bytes;
    brought_.forget();  // rows that nodes have received at no cost do not stay with them
  }

  /// f(), whose messages travel while nodes go on: bytes count, and nobody waits. Returns when each
  /// node would have been done (n), which wait_until waits for. In rounds; what f writes is written
  /// at once, so nobody reads those rows before.
  template <class F>
  std::vector<completion> in_background(F f) {
    require_form(in_rounds_,
                 "gossip::plan: in_background belongs to rounds; messages of "
                 "event exchanges travel while nodes go on. See "
                 "docs/policies/exchange.md");
    return times_->in_background(f);
  }
  /// Node i does nothing before this time.
  void wait_until(node i, virtual_time t) {
    require_owner("wait_until", i);
    times_->wait_until(i, t);
  }
  /// Node i does nothing before that is over.
  void wait_until(node i, completion const &end) {
    require_owner("wait_until", i);
    times_->wait_until(i, end);
  }

  /// In events: on_timer(plan, i, tag) comes after this virtual time, 0 ns or more; a late timer
  /// comes after all other events of its time.
  void set_timer(node i, virtual_time delay, std::uint32_t tag = 0, bool late = false);

  /// The virtual time of the event at hand.
  virtual_time now() const {
    require_form(!in_rounds_,
                 "gossip::plan: now belongs to event exchanges; in rounds each node has a time of "
                 "its own. See docs/policies/exchange.md");
    return now_;
  }

  // Decisions -----------------------------------------------------------------------------------

  /// on_answer(plan, number) comes when all that is planned by the end of this handler has been
  /// executed; the plan waits for it. All ranks get the same answer. One question at a time.
  void ask(measured what);

  /// The run ends here, whatever was to come.
  void stop() { stopped_ = true; }

 protected:
  /// Rows that a verb has sent to some receivers: the entry of the first among rows of messages,
  /// and the numbers of the messages, of which none is left where nothing was sent.
  struct sent_copy {
    std::uint32_t entry = 0;
    std::uint64_t first = 0, end = 0;
  };
  /// The copy of the last verb that sends.
  sent_copy const &last_copy() const { return copy_; }

  /// Every verb and question of a node asks one of these first: of a node or a server, or of a
  /// node.
  void require_owner(char const *verb, std::size_t i) const {
    if (i >= nodes_.size()) [[unlikely]]
      detail::refuse_unknown(verb, i, nodes(), servers());
  }
  void require_node(char const *verb, std::size_t i) const {
    if (i >= nodes()) [[unlikely]]
      detail::refuse_unknown(verb, i, nodes(), 0);
  }

  /// The graph outlives it.
  plan(exchange_calls const &calls, exchange_facts const &facts, graph const &g,
       prepared_clock const &time, plan_settings settings);

  void take_weights(by_round<mixing_matrix> weights) { weights_ = std::move(weights); }

 private:
  friend class window_planner;

  /// Rows of a sum.
  struct summed_rows {
    std::span<row_term const> own;
    std::span<message_term const> held;
  };
  double rate_after(std::uint64_t steps) const {
    return settings_.rate(settings_.epoch.after(steps));
  }
  void begin_round(round_number k) {
    network_.begin(k);
    round_rate_.reset();
    steps_before_round_ = steps_;
  }

  /// Throws error with a sentence about the form of the exchange, which a plan_of its type says
  /// where it is compiled.
  static void require_form(bool holds, char const *sentence) {
    if (!holds) [[unlikely]]
      throw error(sentence);
  }
  void require_own_rows() const {
    require_form(
        !facts_.replicas_identical,
        "gossip::plan: an exchange with identical replicas has train and reduce_all; step, "
        "average, combine and mix_all need one model per node. See docs/policies/exchange.md");
  }

  /// Node i is down for good before a training would end: it trains and steps no more.
  [[gnu::noinline]] void lose(node i) {
    if (in_rounds_ && !times_->excludes()) refuse_wait("all wait", i);
    nodes_[i].refused = nodes_[i].lost = true;
    times_->give_up(i, nodes_[i].trained);
  }
  [[gnu::noinline]] void refused_step(node i) {
    if (nodes_[i].lost) times_->give_up_writing(i);
  }

  /// A step whose displacement goes to a row.
  void step_and_leave(node i, step_rows const &by);

  void push(virtual_time at, event_kind kind, node i, std::uint32_t number = 0) {
    queue_.push({at, event::place_of(kind, i), sequence_++, number});
  }

  [[noreturn]] static void refuse(node i, std::string const &what) { detail::refuse_node(i, what); }

  /// The number of a function in operations.
  template <plan_function F>
  [[gnu::always_inline]] std::uint16_t number_of() {
    return functions_.number<F>(writer_.window().functions);
  }
  std::size_t bytes_of(bool whole) const {
    return whole ? settings_.message_bytes : settings_.row_bytes;
  }
  std::size_t bytes_of(row_name row) const { return bytes_of(row == model_row); }
  std::size_t bytes_of(fragment const &only) const {
    return settings_.row_bytes / settings_.columns * only.count;
  }
  /// Node i waits for a message of this size from node j.
  void receive(node i, node j, std::size_t bytes) {
    times_->transfer(i, j, bytes, false);
    bytes_ += bytes;
  }

  std::span<node const> reached_among(node i, std::span<node const> neighbors) {
    reached_.clear();
    for (node const j : neighbors)
      if (times_->reach(i, j, now_)) reached_.push_back(j);
    return reached_.empty() ? neighbors : std::span<node const>(reached_);
  }

  /// A training on its batch, as the exchange names it.
  [[gnu::always_inline]] work::train training(node i, planned_node const &own,
                                              training_rows const &at) {
    if (at.share || !drawn_.empty()) return training_on_share(i, at);
    return {.counts = at.counts,
            .share = i,
            .batch = checked_index(own.trained - own.repeated, "plan: batches of a node")};
  }

  work::train training_on_share(node i, training_rows const &at);

  /// A message or an edge with the row that stands for it. Throws error unless node i may read it.
  message_header required(node i, message_header m) const;

  /// The columns that a sum with these messages has where none are named.
  fragment columns_of(node i, std::span<message_term const> held) const;
  /// Throws error unless all of these messages have a fragment's columns.
  void require_within(node i, std::span<message_term const> held, fragment const &only) const;

  /// share: of what the payload held before, and held may name the payload itself.
  void write_payload(message_header const &m, summed_rows const &terms, double share,
                     fragment const &only);

  /// The number of the function that sums this many rows, 1 to 7.
  std::uint16_t sum_of(std::size_t terms);

  void require(node i, std::initializer_list<row_term> terms) const {
    require_owner("assign", i);
    for (row_term const &term : terms) detail::require_finite("assign", i, term.coefficient);
  }

  void assign_within(node i, row_name to, std::initializer_list<row_term> terms,
                     fragment const &only);

  void assign_held(node i, row_name to, std::initializer_list<row_term> own,
                   std::vector<message_term> const &held, fragment const &only);

  /// Adds the row of a message, which the reader has, to a row of an owner. first: the row's own
  /// number does not count.
  void add_held(node reader, node owner, std::uint8_t slot, bool trainable,
                message_term const &term, bool first, fragment const &only);

  /// A sum of one row or two into a row of owner i, the last of them a row of owner j.
  void write_sum(node i, node j, row_list const &rows, double first, double last,
                 fragment const &only);

  void begin_functions(node i, std::uint32_t written = 0) {
    require_own_rows();
    require_owner("apply, reduce or compute", i);
    brought_.begin(writer_.place(), written);
  }

  /// The slot of a row of node j that node i receives, unless it has it.
  std::uint8_t brought(node i, node j, row_name row) {
    require_other(i, j);
    std::uint8_t const slot = rows_.slot(row);
    if (brought_.brings(i, j, slot)) receive(i, j, bytes_of(row));
    return slot;
  }
  void require_other(node i, node j) {
    require_owner("apply or reduce", j);
    if (i == j) refuse(i, "cannot exchange with itself");
  }
  [[noreturn]] static void refuse_fragment(node i, char const *does, fragment const &columns) {
    refuse(i, std::string(does) + " a message of " + detail::described(columns) +
                  "; expected a message of whole rows");
  }

  template <class F>
  row_list with_second(std::array<row_name, F::rows - 1> const &rows, row_access const &second) {
    static_assert((F::writes >> (F::rows - 1)) == 0,
                  "gossip::plan: apply changes rows of one node; the last row of the function, "
                  "which is another node's, must not be written. See docs/policies/exchange.md");
    std::array<row_access, F::rows> named{};
    for (std::size_t k = 0; k + 1 < F::rows; ++k) named[k].slot = rows_.slot(rows[k]);
    named[F::rows - 1] = second;
    return accesses_of<F>(named);
  }

  template <std::size_t Count>
  row_list accesses(std::array<row_name, Count> const &rows) {
    row_list list;
    for (row_name const &row : rows) {
      row_access one;  // nvcc takes a list of one member for the member
      one.slot = rows_.slot(row);
      list.add(one);
    }
    return list;
  }

  template <class F>
  static auto joined(std::array<scalar, F::scalars> const &scalars,
                     std::array<double, F::numbers> const &numbers) {
    return [&]<std::size_t... S, std::size_t... N>(std::index_sequence<S...>,
                                                   std::index_sequence<N...>) {
      return std::array<coefficient, F::scalars + F::numbers>{coefficient(scalars[S])...,
                                                              coefficient(numbers[N])...};
    }(std::make_index_sequence<F::scalars>{}, std::make_index_sequence<F::numbers>{});
  }

  template <class F>
  void write(node i, node j, row_list const &list,
             std::array<coefficient, F::coefficients> const &given,
             fragment const &only = fragment::every()) {
    if ((list.written(false) & 1) != 0) times_->write(i);
    if constexpr (whole_row_function<F>) {
      for (std::size_t k = 0; k < list.size(); ++k)
        for (std::size_t l = 0; l < list.size(); ++l)
          if (k != l && list[k].writes && list[k].slot == list[l].slot && !list[l].of_second)
            refuse(i, "gives a row that a whole-row function writes to it twice");
      writer_.whole_rows(i, j, number_of<F>(), list, given);
    } else {
      writer_.columns(i, j, number_of<F>(), list, given, only);
    }
  }

  /// The messages of a pair, both ways or to node i alone, which waits for them, or `beside` gets
  /// their end, after what it says; false where one is not sent or does not arrive.
  [[gnu::always_inline]] bool meet(node i, node j, std::size_t bytes, bool both,
                                   completion *beside = nullptr) {
    require_own_rows();
    char const *const verb = both ? "average" : "combine";
    require_node(verb, i);
    require_node(verb, j);
    if (i == j) refuse(i, "cannot exchange with itself");
    if (in_rounds_)
      if (!participants_.present(i, j)) return false;
    if (times_->untransferred(i, j, now_, beside)) return false;
    bytes_ += (both ? 2 : 1) * bytes;
    if (beside)
      *beside = times_->transfer_beside(i, j, bytes, now_, *beside);
    else
      times_->transfer(i, j, bytes, both);
    return !times_->losses().lost_between(i, j, both);
  }

  /// A function of the same row of two nodes.
  template <column_function F>
  [[gnu::always_inline]] void on_pair(node i, node j, row_name row, double given, bool both,
                                      completion *beside = nullptr) {
    std::uint8_t const slot = rows_.slot(row);
    if (!meet(i, j, bytes_of(row), both, beside)) return;
    static constexpr row_list models = accesses_of<F>(std::array<row_access, 2>{{{0}, {0, true}}});
    writer_.columns(
        i, j, number_of<F>(),
        slot == 0 ? models : accesses_of<F>(std::array{row_access{slot}, row_access{slot, true}}),
        given);
  }
  template <column_function F>
  void on_pair(node i, node j, row_name row, std::span<coefficient const> given,
               fragment const &only, bool both) {
    detail::require_fragment(i, only, columns());
    std::uint8_t const slot = rows_.slot(row);
    if (!meet(i, j, bytes_of(only), both)) return;
    writer_.columns(i, j, number_of<F>(),
                    accesses_of<F>(std::array{row_access{slot}, row_access{slot, true}}), given,
                    only);
  }

  /// The bytes of a row, or of its fragment, which is one.
  std::size_t bytes_of(row_name row, fragment const &only) const {
    if (only.is_every()) return bytes_of(row);
    detail::require_fragment(0, only, columns());
    return bytes_of(only);
  }

  sent_mixture message_of(row_name row, mixing_matrix const &w, fragment const &only) const;

  void wait_for_mixtures(std::span<sent_mixture const> messages, bool global_barrier) {
    require_own_rows();
    bytes_ += times_->mix(messages, global_barrier);
  }

  template <neighborhood_function F>
  mixing_matrix const &mixed(row_name row, mixing_matrix const &w, bool global_barrier) {
    mixing_matrix const &among = among_present(w);
    sent_mixture const messages[] = {message_of(row, among, fragment::every())};
    wait_for_mixtures(messages, global_barrier);
    auto const all = weights_.values();
    mixing_matrix const &left = arrived(among);
    bool const declared =
        !std::less<>{}(&left, all.data()) && std::less<>{}(&left, all.data() + all.size());
    write_mixture<F>(row, left, declared, fragment::every());
    return left;
  }

  /// The weights among nodes that take part in the round.
  mixing_matrix const &among_present(mixing_matrix const &w);

  /// The weights that are left where messages are not sent or are lost.
  mixing_matrix const &arrived(mixing_matrix const &w);

  /// Owner i gets nothing of another, for which it waits as long as others do.
  bool waits_in_vain(node i, node from) {
    if (!times_->leaves_out(from, i, now_, false, true)) return false;
    times_->wait_for_owed();
    return true;
  }

  /// Owner i waits for a message of this size from another owner.
  void receive_at(node i, node from, std::size_t bytes) {
    times_->wait_until(i, times_->send(from, i, bytes, now_, false));
    bytes_ += bytes;
  }

  template <neighborhood_function F>
  void write_mixture(row_name row, mixing_matrix const &w, bool declared, fragment const &only) {
    writer_.mix(number_of<F>(), {{rows_.slot(row), false, true, true}},
                writer_.window().number_of(w, declared), only);
  }

  void require_terms(node i, std::size_t count) const {
    if (count == 0 || count > node_term::most)
      refuse(i, "cannot have a sum of " + std::to_string(count) + " rows; expected 1 to 2^22");
  }

  row_list summed(row_name to, row_name from) {
    return {{rows_.slot(to), false, false, true}, {rows_.slot(from), true}};
  }

  /// Handles the message of an event.
  void arrive(std::uint32_t number) {
    message_header const m = in_flight_[number].what;
    spare_.push_back(number);
    hand_over(m);
  }

  std::size_t on_their_way() const { return in_flight_.size() - spare_.size(); }

  void begin_copy();
  void require_receiver(node i, node j);

  static std::vector<summed_rows> terms_of(message_parts const &what);

  /// Sends one copy of rows to all receivers, each a message of encoded_bytes, or of the bytes of
  /// the rows.
  void post(node i, std::vector<node> receivers, std::span<summed_rows const> rows,
            fragment const &only, std::optional<std::size_t> encoded_bytes = std::nullopt);

  /// One copy of the columns from the first fragment to the last.
  void post_fragments(node i, std::vector<fragment_receiver> receivers,
                      std::span<summed_rows const> rows);

  /// Writes the rows of a message for this number of receivers; returns it and its bytes.
  std::pair<message_header, std::size_t> written(node i, std::size_t receivers,
                                                 std::span<summed_rows const> rows,
                                                 fragment const &only);

  /// True where a sum has statistics of models.
  bool is_whole(node i, summed_rows const &row) const;

  /// Rows leave when the node is free, or at once from within on_message and on_timer.
  completion sent(message_header const &m, std::size_t bytes, auto... number) {
    return times_->send(m.from, m.to, bytes, now_, between_trainings_, number...);
  }

  void begin(message_header &m, node to, std::size_t bytes);

  void hand_over(message_header const &m);

  bool asks() const { return asked_.has_value(); }

  /// The question that has no answer yet.
  std::optional<measured> open() const { return answered_ < log_.size() ? std::nullopt : asked_; }

  /// Throws error where nobody has answered.
  double take_answer();

  using flight = message_on_its_way;
  static constexpr std::uint64_t nothing = static_cast<std::uint64_t>(-1);

  exchange_calls calls_;
  exchange_facts facts_;
  bool in_rounds_, has_items_;
  plan_settings settings_;
  std::vector<std::uint32_t> drawn_;  // (shares) batches so far; none where nodes have their own
  network_of_rounds network_;
  std::unique_ptr<owner_times> times_;
  participants participants_;
  by_round<mixing_matrix> weights_;
  planned_rows rows_;
  function_names functions_;
  operation_writer writer_;
  outboxes boxes_;
  event_queue queue_;
  virtual_time now_{0};
  bool between_trainings_ = false;   // in on_message or on_timer
  std::uint64_t training_ = 0;       // of event exchanges: trainings that have not ended
  std::vector<planned_node> nodes_;  // (n + servers)
  std::uint64_t started_ = 0, steps_ = 0, bytes_ = 0, sequence_ = 0, rounds_reduced_ = 0;
  std::uint64_t steps_before_round_ = 0;      // of exchanges in rounds, as round_rate_
  mutable std::optional<double> round_rate_;  // none until the round asks for it
  brought_rows brought_;
  std::vector<node> reached_;
  std::optional<mixing_matrix> present_, arrived_;
  std::vector<flight> in_flight_;
  std::vector<std::uint32_t> spare_;  // events: places of in_flight_
  sent_copy copy_{};
  std::uint64_t sent_ = 0, handled_ = nothing, deliveries_ = 0;
  bool kept_ = false;
  std::optional<measured> asked_;
  std::vector<double> log_;
  std::size_t answered_ = 0;
  bool stopped_ = false;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/messages.ipp>
#include <gossip/plan/detail/networks.ipp>
#include <gossip/plan/detail/plan.ipp>
#include <gossip/plan/detail/rows.ipp>
#include <gossip/plan/detail/trainings.ipp>
#endif
