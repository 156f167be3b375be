// The verbs of a plan for messages.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/messages_in_flight.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/sum_verbs.hpp>

namespace gossip {

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
///
/// A message of a fragment has the fragment's bytes and no statistics of a model; one of several
/// rows arrives as one, after the transfer of their bytes together, and m.part(k) names row k.
template <class Verbs, class State>
class message_verbs : public sum_verbs<Verbs> {
  using sums = sum_verbs<Verbs>;
  using sums::boxes_;
  using terms = typename sums::sum_terms;

 public:
  /// Node i sends node j the sum of rows of its own, then of rows of messages, each times its
  /// coefficient. Node i does not wait.
  void send(node i, node j, std::initializer_list<row_term> own,
            std::vector<message_term> const &held = {}, State const &state = {}) {
    send_to(i, {j}, own, held, state);
  }

  /// The same to several, of which none may be named twice: one copy for all.
  void send_to(node i, std::vector<node> const &receivers, std::initializer_list<row_term> own,
               std::vector<message_term> const &held = {}, State const &state = {}) {
    terms const row[] = {{{own.begin(), own.size()}, held}};
    post(i, receivers, row, sums::columns_of(i, held), state);
  }

  /// Node i sends the columns of a fragment alone.
  void send(node i, node j, std::initializer_list<row_term> own, std::same_as<fragment> auto only,
            std::vector<message_term> const &held = {}, State const &state = {}) {
    send_fragments(i, {{j, only}}, own, held, state);
  }
  /// To each of several its fragment of one copy.
  void send_fragments(node i, std::vector<fragment_receiver> const &receivers,
                      std::initializer_list<row_term> own,
                      std::vector<message_term> const &held = {}, State const &state = {}) {
    terms const row[] = {{{own.begin(), own.size()}, held}};
    post_fragments(i, receivers, row, state);
  }

  /// Several rows as one message; or a fragment of each.
  void send(node i, node j, message_parts const &what, State const &state = {}) {
    send_to(i, {j}, what, state);
  }
  void send_to(node i, std::vector<node> const &receivers, message_parts const &what,
               State const &state = {}) {
    std::vector<terms> const rows = terms_of(what);
    fragment const only = rows.empty() ? fragment::every() : sums::columns_of(i, rows[0].held);
    for (terms const &one : rows)
      if (sums::columns_of(i, one.held) != only)
        self().refuse(i, "sends " + detail::described(only) + " of a row and " +
                             detail::described(sums::columns_of(i, one.held)) +
                             " of a second row in one message; expected equal columns");
    post(i, receivers, rows, only, state);
  }
  void send_fragments(node i, std::vector<fragment_receiver> const &receivers,
                      message_parts const &what, State const &state = {}) {
    post_fragments(i, receivers, terms_of(what), state);
  }

  /// Node i sends an encoded row of its own.
  void send(node i, node j, encoded_row const &what, State const &state = {}) {
    send_to(i, {j}, what, state);
  }
  void send_to(node i, std::vector<node> const &receivers, encoded_row const &what,
               State const &state = {}) {
    if (i != what.owner)
      self().refuse(i, "sends a row that node " + std::to_string(what.owner) + " has encoded");
    row_term const own[] = {{1, what.row}};
    terms const row[] = {{own, {}}};
    post(i, receivers, row, fragment::every(), state, what.bytes);
  }

  /// The message stays after on_message.
  void keep(message_header const &m) {
    if (m.number != handled_)
      throw error("exchange: keeps a message that on_message is not called for");
    kept_ = true;
  }
  /// The end of a message that was kept: it is not read again on this node.
  void drop(message_header const &m) { boxes_.drop(m); }

  /// In rounds: calls on_message for every message on its way; with a delay only for those on
  /// their way at so many calls before as well.
  void deliver(std::uint64_t delay = 0) {
    static_assert(
        Verbs::in_rounds,
        "gossip::plan: deliver belongs to rounds; in event exchanges on_message is called "
        "when a message arrives. See docs/policies/exchange.md");
    std::vector<flight> const arrived = detail::take_arrived(in_flight_, deliveries_++, delay);
    self().times_->wait_for_owed();
    for (flight const &f : arrived) {
      self().times_->wait_until(f.what.to, f.arrival);
      f.lost ? boxes_.drop(f.what) : hand_over(f.what);
    }
  }

 protected:
  message_verbs(graph const &g, std::size_t servers, std::span<std::uint32_t const> sizes)
      : sums(g, servers, sizes) {}

  /// Handles the message of an event.
  void arrive(std::uint32_t number) {
    message<State> const m = in_flight_[number].what;
    spare_.push_back(number);
    hand_over(m);
  }

  node receiver_of(std::uint32_t number) const { return in_flight_[number].what.to; }
  std::size_t on_their_way() const { return in_flight_.size() - spare_.size(); }
  std::vector<std::uint32_t> most_payloads() const { return boxes_.most(); }

 private:
  using flight = detail::message_on_its_way<State>;

  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }

  void require_receiver(node i, node j) {
    static_assert(Verbs::with_messages,
                  "gossip::plan: send needs an exchange with on_message(auto &plan, node i, auto "
                  "const &message) const. See docs/policies/exchange.md");
    self().require_owner("send", i);
    self().require_owner("send", j);
    if (i == j) self().refuse(i, "cannot send a message to itself");
  }

  static std::vector<terms> terms_of(message_parts const &what) {
    std::vector<terms> rows;
    for (message_part const &one : what.rows) rows.push_back({one.own, one.held});
    return rows;
  }

  /// One copy for all receivers, of so many bytes each, or of those of its rows.
  void post(node i, std::vector<node> receivers, std::span<terms const> rows, fragment const &only,
            State const &state, std::optional<std::size_t> encoded_bytes = std::nullopt) {
    for (node const j : receivers) require_receiver(i, j);
    std::erase_if(receivers, [&](node j) { return !self().participants_.present(i, j); });
    if (receivers.empty()) return;
    auto [m, bytes] = written(i, receivers.size(), rows, only, state);
    if (encoded_bytes) bytes = *encoded_bytes;
    for (node const j : receivers) begin(m, j, bytes);
  }

  /// One copy of the columns from the first fragment to the last.
  void post_fragments(node i, std::vector<fragment_receiver> receivers, std::span<terms const> rows,
                      State const &state) {
    for (auto const &r : receivers) require_receiver(i, r.to);
    std::erase_if(receivers, [&](auto const &r) { return !self().participants_.present(i, r.to); });
    if (receivers.empty()) return;
    std::size_t first = receivers[0].columns.first, end = 0;
    for (auto const &[j, columns] : receivers) {
      detail::require_fragment(i, columns, self().columns());
      first = std::min(first, columns.first);
      end = std::max(end, columns.end());
    }
    fragment const only{first, end - first};
    for (terms const &row : rows) sums::require_within(i, row.held, only);
    message<State> m = written(i, receivers.size(), rows, only, state).first;
    for (auto const &[j, columns] : receivers) {
      m.columns = columns;
      std::size_t const bytes = rows.size() * self().bytes_of(columns);
      begin(m, j, bytes);
    }
  }

  /// A message for so many receivers whose rows have been written, and their bytes.
  std::pair<message<State>, std::size_t> written(node i, std::size_t receivers,
                                                 std::span<terms const> rows, fragment const &only,
                                                 State const &state) {
    if (rows.empty() || rows.size() > message_parts::most)
      self().refuse(i, "sends a message of " + std::to_string(rows.size()) +
                           " rows; expected 1 to " + std::to_string(message_parts::most));
    message<State> m, first;
    m.state = state;
    m.from = i;
    m.columns = only;
    m.parts = static_cast<std::uint8_t>(rows.size());
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].own.empty()) self().refuse(i, "sends a message without a row of its own");
      m.entry = k == 0 ? boxes_.take(i, receivers, sent_) : boxes_.take_more(i, m.entry);
      m.payload = boxes_.owner(i, m.entry);
      m.whole = only.is_every() && is_whole(i, rows[k]);
      boxes_.set_whole(m.entry, m.whole);
      sums::write_payload(m, rows[k], 0, only);
      bytes += only.is_every() ? self().bytes_of(m.whole) : self().bytes_of(only);
      if (k == 0) first = m;
    }
    return {first, bytes};
  }

  /// Whether a sum has statistics of models.
  bool is_whole(node i, terms const &row) const {
    return std::ranges::all_of(row.own, [](row_term const &t) { return t.row == model_row; }) &&
           std::ranges::all_of(
               row.held, [&](message_term const &t) { return sums::required(i, t.row).whole; });
  }

  /// Rows leave when the node is free, or at once from within on_message and on_timer.
  completion sent(message<State> const &m, std::size_t bytes, auto... number) {
    return self().times_->send(m.from, m.to, bytes, self().now_, self().between_trainings_,
                               number...);
  }

  void begin(message<State> &m, node to, std::size_t bytes) {
    m.to = to;
    m.number = sent_++;
    if (self().times_->leaves_out(m.from, to, self().now_, self().between_trainings_,
                                  Verbs::in_rounds))
      return boxes_.drop(m);
    self().bytes_ += bytes;
    bool const lost = self().times_->losses().lost(m.from, to);
    if constexpr (Verbs::in_rounds) {
      in_flight_.push_back({m, sent(m, bytes), deliveries_, lost});
    } else if (lost) {
      sent(m, bytes);
      boxes_.drop(m);
    } else {
      if (spare_.empty()) {
        spare_.push_back(checked_index(in_flight_.size(), "plan: messages on their way"));
        in_flight_.emplace_back();
      }
      std::uint32_t const number = spare_.back();
      spare_.pop_back();
      in_flight_[number] = {m, sent(m, bytes, number)};
      if (!self().times_->activities())  // else it is told when the message has arrived
        self().push(in_flight_[number].arrival.at, event_kind::message, m.to, number);
    }
  }

  void hand_over(message<State> const &m) {
    handled_ = m.number;
    kept_ = false;
    self().exchange_.on_message(self(), m.to, m);
    handled_ = nothing;
    if (!kept_) boxes_.drop(m);
  }

  static constexpr std::uint64_t nothing = static_cast<std::uint64_t>(-1);

  std::vector<flight> in_flight_;
  std::vector<std::uint32_t> spare_;  // events: places of in_flight_
  std::uint64_t sent_ = 0, handled_ = nothing, deliveries_ = 0;
  bool kept_ = false;
};

}  // namespace gossip
