// What a plan offers an exchange that sends messages, has servers or sets timers.
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
    if (receivers.empty()) return;
    require_sender(i, receivers);
    if (own.size() == 0) self().refuse(i, "sends a message without a row of its own");
    message<State> m;
    m.state = state;
    m.from = i;
    m.entry = boxes_.take(i, receivers.size(), sent_);
    m.payload = boxes_.owner(i, m.entry);
    m.whole = std::ranges::all_of(own, [](row_term const &t) { return t.row == model_row; }) &&
              std::ranges::all_of(held, [](message_term const &t) { return t.row.whole; });
    bool first = true;
    for (row_term const &term : own) {
      row_list rows{{0, false, false, true, !m.whole}};
      if (!first) rows.add({0, false, true, false, !m.whole});
      rows.add({self().slot(term.row), true});
      self().write_sum(m.payload, i, rows, first ? 0.0 : 1.0, term.coefficient);
      first = false;
    }
    for (message_term const &term : held) add_held(m.payload, 0, !m.whole, term, false);
    std::size_t const bytes = self().bytes_of(m.whole);
    virtual_time const arrival = self().times_.arrival(leaves_at(i), bytes);
    for (node const j : receivers) {
      m.to = j;
      m.number = sent_++;
      self().bytes_ += bytes;
      begin(m, arrival);
    }
  }

  /// A row of node i becomes the sum of rows of its own and of rows of messages to it, each times
  /// its coefficient, in this order.
  void assign(node i, row_name to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held) {
    if (own.size() > 0) self().assign(i, to, own);
    std::uint8_t const slot = self().slot(to);
    bool first = own.size() == 0;
    for (message_term const &term : held)
      add_held(i, slot, false, term, std::exchange(first, false));
  }
  /// Adds rows of messages to a row of node i.
  void add(node i, row_name to, std::vector<message_term> const &held) {
    std::uint8_t const slot = self().slot(to);
    for (message_term const &term : held) add_held(i, slot, false, term, false);
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

  /// on_timer(plan, i, tag) comes after so much virtual time; a late timer after all other events
  /// of its time.
  void set_timer(node i, virtual_time delay, std::uint32_t tag = 0, bool late = false) {
    static_assert(!Verbs::in_rounds,
                  "gossip::plan: timers belong to event exchanges. See "
                  "docs/policies/exchange.md");
    static_assert(Verbs::with_timers,
                  "gossip::plan: set_timer needs an exchange with on_timer(auto &plan, node i, "
                  "std::uint32_t tag) const. See docs/policies/exchange.md");
    if (delay.count() < 0) self().refuse(i, "sets a timer in the past");
    self().push(self().times_.after(self().now_, delay),
                late ? event_kind::late_timer : event_kind::timer, i, tag);
  }

  /// The virtual time of the event at hand.
  virtual_time now() const {
    static_assert(!Verbs::in_rounds,
                  "gossip::plan: now belongs to event exchanges; in rounds each node has a time of "
                  "its own. See docs/policies/exchange.md");
    return self().now_;
  }

 protected:
  message_verbs(std::size_t senders, std::size_t first, std::span<std::uint32_t const> sizes)
      : boxes_(senders, first, sizes) {}

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

  /// first: the row's own number does not count.
  void add_held(node i, std::uint8_t slot, bool trainable, message_term const &term, bool first) {
    boxes_.require(term.row);
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
