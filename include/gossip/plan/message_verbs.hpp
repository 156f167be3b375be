// What a plan offers an exchange that sends messages, has servers or keeps rows of edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Of an event that is a message or a timer: its number among those on their way, or its tag.
struct numbered_item {
  std::uint32_t number = 0;
};

/// The messages of a run. A message is a row that the sender had when it sent it; it arrives after
/// the time of its transfer, at a node that need not be free.
///
/// In event exchanges on_message is called when it arrives. In rounds it is called by
/// plan.deliver(), for all messages that are on their way, ascending by receiver, sender and
/// number; who receives one waits until it has arrived.
///
/// After on_message a message is gone, unless it was kept by plan.keep(m), until plan.drop(m).
///
/// A row that plan.encode has encoded takes the bytes of its code, see codec/codec.hpp.
template <class Verbs, class State>
class message_verbs {
 public:
  /// A server, from 0 on: rows as a node's, which begin as those of all nodes.
  node server(std::size_t k) const {
    if (k >= self().servers())
      throw error("exchange: names server " + std::to_string(k) + " of " +
                  std::to_string(self().servers()) +
                  "; expected static constexpr std::size_t servers with their number");
    return static_cast<node>(self().nodes() + k);
  }
  bool is_server(node i) const { return i >= self().nodes(); }

  /// Node i sends node j the sum of rows of its own, then of rows of messages, each times its
  /// coefficient. Node i does not wait.
  void send(node i, node j, std::initializer_list<row_term> own,
            std::vector<message_term> const &held = {}, State const &state = {}) {
    send_to(i, {j}, own, held, state);
  }

  /// The same to several, of which none may be named twice: one copy for all.
  void send_to(node i, std::vector<node> const &receivers, std::initializer_list<row_term> own,
               std::vector<message_term> const &held = {}, State const &state = {}) {
    bool const whole =
        std::ranges::all_of(own, [](row_term const &t) { return t.row == model_row; }) &&
        std::ranges::all_of(held, [](message_term const &t) { return t.row.whole; });
    send_bytes(i, receivers, own, held, state, whole, self().bytes_of(whole));
  }

  /// Node i sends an encoded row of its own.
  void send(node i, node j, encoded_row const &what, State const &state = {}) {
    send_to(i, {j}, what, state);
  }
  void send_to(node i, std::vector<node> const &receivers, encoded_row const &what,
               State const &state = {}) {
    if (i != what.owner)
      self().refuse(i, "sends a row that node " + std::to_string(what.owner) + " has encoded");
    send_bytes(i, receivers, {{1, what.row}}, {}, state, what.row == model_row, what.bytes);
  }

  /// A row of node i becomes the sum of rows of its own and of rows of messages to it, each times
  /// its coefficient, in this order.
  void assign(node i, row_name to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held) {
    if (own.size() > 0) self().assign(i, to, own);
    std::uint8_t const slot = self().slot(to);
    bool first = own.size() == 0;
    for (message_term const &term : held) {
      require_held(i, term.row);
      add_held(i, slot, false, term, std::exchange(first, false));
    }
  }
  /// Adds rows of messages to a row of node i.
  void add(node i, row_name to, std::vector<message_term> const &held) {
    std::uint8_t const slot = self().slot(to);
    for (message_term const &term : held) {
      require_held(i, term.row);
      add_held(i, slot, false, term, false);
    }
  }

  /// Row `number` of the edge from node i to its neighbour j, which node i keeps; zeros at first.
  /// It has the parameters' columns, and is read where messages are.
  edge_row edge(node i, node j, std::size_t number = 0) const {
    static_assert(
        Verbs::edge_rows() > 0,
        "gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows "
        "with the number of rows of an edge. See docs/policies/exchange.md");
    if (i >= self().nodes()) self().refuse(i, "has no edges: it is no node of the graph");
    auto const near = self().topology().neighbors(i);
    auto const found = std::ranges::lower_bound(near, j);
    if (found == near.end() || *found != j || number >= Verbs::edge_rows())
      self().refuse(
          i, "has no row " + std::to_string(number) + " of an edge to node " + std::to_string(j));
    auto const place = static_cast<std::size_t>(found - near.begin()) * Verbs::edge_rows() + number;
    return {
        {i, j, boxes_.placed(i, static_cast<std::uint32_t>(place)), outboxes::lasting, 0, false}};
  }

  /// A row of an edge becomes the sum of rows of the node that keeps it, and of rows of messages
  /// and edges of that node, itself among them or not, each times its coefficient.
  void assign(edge_row const &to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held = {}) {
    write_payload(to, own, held, 0);
  }
  /// Adds such a sum to it.
  void add(edge_row const &to, std::initializer_list<row_term> own,
           std::vector<message_term> const &held = {}) {
    write_payload(to, own, held, 1);
  }

  /// The message stays after on_message.
  void keep(message_header const &m) {
    if (m.number != handled_)
      throw error("exchange: keeps a message that on_message is not called for");
    kept_ = true;
  }
  /// The end of a message that was kept: it is not read again on this node.
  void drop(message_header const &m) { boxes_.drop(m); }

  /// In rounds: calls on_message for every message on its way.
  void deliver() {
    static_assert(
        Verbs::in_rounds,
        "gossip::plan: deliver belongs to rounds; in event exchanges on_message is called "
        "when a message arrives. See docs/policies/exchange.md");
    std::vector<flight> arrived = std::exchange(in_flight_, {});
    std::ranges::sort(arrived, {}, [](flight const &f) {
      return std::tuple(f.what.to, f.what.from, f.what.number);
    });
    for (flight const &f : arrived) {
      self().times_.wait_until(f.what.to, f.arrival);
      hand_over(f.what);
    }
  }

 protected:
  message_verbs(graph const &g, std::size_t servers, std::span<std::uint32_t const> sizes)
      : boxes_(g.nodes() + servers, g.nodes() + servers, sizes, [&](std::size_t i) {
          if (Verbs::edge_rows() == 0 || i >= g.nodes()) return std::uint32_t{0};
          return checked_index(g.degree(static_cast<node>(i)) * Verbs::edge_rows(),
                               "plan: rows of a node's edges");
        }) {}

  /// Throws error unless node i may read the row of a message or an edge.
  void require_held(node i, message_header const &m) const {
    boxes_.require(m);
    if (m.entry == outboxes::lasting && m.from != i)
      self().refuse(i, "reads a row of an edge that node " + std::to_string(m.from) + " keeps");
  }

  /// Handles the message of an event.
  void arrive(std::uint32_t number) {
    message<State> const m = in_flight_[number].what;
    spare_.push_back(number);
    hand_over(m);
  }

  std::size_t on_their_way() const { return in_flight_.size() - spare_.size(); }

  std::vector<std::uint32_t> most_payloads() const { return boxes_.most(); }

 private:
  struct flight {
    message<State> what;
    virtual_time arrival{0};
  };

  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }

  void require_sender(node i, std::vector<node> const &receivers) {
    static_assert(Verbs::with_messages,
                  "gossip::plan: send needs an exchange with on_message(auto &plan, node i, auto "
                  "const &message) const. See docs/policies/exchange.md");
    std::size_t const all = self().nodes() + self().servers();
    for (node const j : receivers)
      if (i >= all || j >= all || i == j)
        self().refuse(i, "cannot send a message to node " + std::to_string(j));
  }

  /// One copy for all receivers, of so many bytes each.
  void send_bytes(node i, std::vector<node> const &receivers, std::initializer_list<row_term> own,
                  std::vector<message_term> const &held, State const &state, bool whole,
                  std::size_t bytes) {
    if (receivers.empty()) return;
    require_sender(i, receivers);
    if (own.size() == 0) self().refuse(i, "sends a message without a row of its own");
    message<State> m;
    m.state = state;
    m.from = i;
    m.entry = boxes_.take(i, receivers.size(), sent_);
    m.payload = boxes_.owner(i, m.entry);
    m.whole = whole;
    write_payload(m, own, held, 0);
    virtual_time const arrival = self().times_.arrival(leaves_at(i), bytes);
    for (node const j : receivers) {
      m.to = j;
      m.number = sent_++;
      self().bytes_ += bytes;
      begin(m, arrival);
    }
  }

  /// Rows leave when the node is free, or at once from within on_message and on_timer.
  virtual_time leaves_at(node i) const {
    if (self().between_trainings_) return self().now_;
    return std::max(self().now_, self().times_.free_at(i));
  }

  void begin(message<State> const &m, virtual_time arrival) {
    if constexpr (Verbs::in_rounds) {
      in_flight_.push_back({m, arrival});
    } else {
      if (spare_.empty()) {
        spare_.push_back(checked_index(in_flight_.size(), "plan: messages on their way"));
        in_flight_.emplace_back();
      }
      std::uint32_t const number = spare_.back();
      spare_.pop_back();
      in_flight_[number] = {m, arrival};
      self().push(arrival, event_kind::message, m.to, number);
    }
  }

  void hand_over(message<State> const &m) {
    handled_ = m.number;
    kept_ = false;
    self().exchange_.on_message(self(), m.to, m);
    handled_ = nothing;
    if (!kept_) boxes_.drop(m);
  }

  /// share: of what the payload held before, and held may name the payload itself.
  void write_payload(message_header const &m, std::initializer_list<row_term> own,
                     std::vector<message_term> const &held, double share) {
    if (own.size() + held.size() == 0) self().refuse(m.from, "makes a row of an edge of no terms");
    for (message_term const &term : held) {
      require_held(m.from, term.row);
      if (term.row.payload == m.payload) share += term.coefficient;
    }
    bool fresh = share == 0;
    if (!fresh && share != 1) {
      row_list const itself{{0, false, false, true, !m.whole}, {0, false, true, false, !m.whole}};
      self().write_sum(m.payload, m.payload, itself, 0.0, share);
    }
    for (row_term const &term : own) {
      row_list rows{{0, false, false, true, !m.whole}};
      if (!fresh) rows.add({0, false, true, false, !m.whole});
      rows.add({self().slot(term.row), true});
      self().write_sum(m.payload, m.from, rows, fresh ? 0.0 : 1.0, term.coefficient);
      fresh = false;
    }
    for (message_term const &term : held)
      if (term.row.payload != m.payload)
        add_held(m.payload, 0, !m.whole, term, std::exchange(fresh, false));
  }

  /// first: the row's own number does not count.
  void add_held(node i, std::uint8_t slot, bool trainable, message_term const &term, bool first) {
    bool const part = trainable || !term.row.whole;
    row_list rows{{slot, false, false, true, part}};
    if (!first) rows.add({slot, false, true, false, part});
    rows.add({0, true, true, false, part});
    self().write_sum(i, term.row.payload, rows, first ? 0.0 : 1.0, term.coefficient);
  }

  static constexpr std::uint64_t nothing = static_cast<std::uint64_t>(-1);

  outboxes boxes_;
  std::vector<flight> in_flight_;
  std::vector<std::uint32_t> spare_;  // events: places of in_flight_
  std::uint64_t sent_ = 0, handled_ = nothing;
  bool kept_ = false;
};

}  // namespace gossip
