// Messages and timers of a plan.
#pragma once

#include <gossip/plan/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/messages_in_flight.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

GOSSIP_INLINE void plan::send_to(node i, std::vector<node> const &receivers,
                                 message_parts const &what) {
  std::vector<summed_rows> const rows = terms_of(what);
  fragment const only = rows.empty() ? fragment::every() : columns_of(i, rows[0].held);
  for (summed_rows const &one : rows)
    if (columns_of(i, one.held) != only)
      refuse(i, "sends " + detail::described(only) + " of a row and " +
                    detail::described(columns_of(i, one.held)) +
                    " of a second row in one message; expected equal columns");
  post(i, receivers, rows, only);
}

GOSSIP_INLINE void plan::send_to(node i, std::vector<node> const &receivers,
                                 encoded_row const &what) {
  if (i != what.owner)
    refuse(i, "sends a row that node " + std::to_string(what.owner) + " has encoded");
  row_term const own[] = {{1, what.row}};
  summed_rows const row[] = {{own, {}}};
  post(i, receivers, row, fragment::every(), what.bytes);
}

GOSSIP_INLINE void plan::keep(message_header const &m) {
  if (m.number != handled_)
    throw error("exchange: keeps a message that on_message is not called for");
  kept_ = true;
}

GOSSIP_INLINE void plan::deliver(std::uint64_t delay) {
  require_form(in_rounds_,
               "gossip::plan: deliver belongs to rounds; in event exchanges on_message is called "
               "when a message arrives. See docs/policies/exchange.md");
  require_form(calls_.on_message != nullptr,
               "gossip::plan: deliver needs an exchange with on_message(auto &plan, node i, auto "
               "const &message) const. See docs/policies/exchange.md");
  std::vector<flight> const arrived = detail::take_arrived(in_flight_, deliveries_++, delay);
  times_->wait_for_owed();
  for (flight const &f : arrived) {
    times_->wait_until(f.what.to, f.arrival);
    f.lost ? boxes_.drop(f.what) : hand_over(f.what);
  }
}

GOSSIP_INLINE void plan::begin_copy() {
  require_form(calls_.on_message != nullptr,
               "gossip::plan: send needs an exchange with on_message(auto &plan, node i, auto "
               "const &message) const. See docs/policies/exchange.md");
  copy_ = {0, sent_, sent_};
}

GOSSIP_INLINE void plan::require_receiver(node i, node j) {
  require_owner("send", i);
  require_owner("send", j);
  if (i == j) refuse(i, "cannot send a message to itself");
}

GOSSIP_INLINE std::vector<plan::summed_rows> plan::terms_of(message_parts const &what) {
  std::vector<summed_rows> rows;
  for (message_part const &one : what.rows) rows.push_back({one.own, one.held});
  return rows;
}

GOSSIP_INLINE void plan::post(node i, std::vector<node> receivers,
                              std::span<summed_rows const> rows, fragment const &only,
                              std::optional<std::size_t> encoded_bytes) {
  begin_copy();
  for (node const j : receivers) require_receiver(i, j);
  std::erase_if(receivers, [&](node j) { return !participants_.present(i, j); });
  if (receivers.empty()) return;
  auto [m, bytes] = written(i, receivers.size(), rows, only);
  if (encoded_bytes) bytes = *encoded_bytes;
  copy_.entry = m.entry;
  for (node const j : receivers) begin(m, j, bytes);
  copy_.end = sent_;
}

GOSSIP_INLINE void plan::post_fragments(node i, std::vector<fragment_receiver> receivers,
                                        std::span<summed_rows const> rows) {
  begin_copy();
  for (auto const &r : receivers) require_receiver(i, r.to);
  std::erase_if(receivers, [&](auto const &r) { return !participants_.present(i, r.to); });
  if (receivers.empty()) return;
  std::size_t first = receivers[0].columns.first, end = 0;
  for (auto const &[j, columns] : receivers) {
    detail::require_fragment(i, columns, this->columns());
    first = std::min(first, columns.first);
    end = std::max(end, columns.end());
  }
  fragment const only{first, end - first};
  for (summed_rows const &row : rows) require_within(i, row.held, only);
  message_header m = written(i, receivers.size(), rows, only).first;
  for (auto const &[j, columns] : receivers) {
    m.columns = columns;
    std::size_t const bytes = rows.size() * bytes_of(columns);
    begin(m, j, bytes);
  }
  copy_.entry = m.entry;
  copy_.end = sent_;
}

GOSSIP_INLINE std::pair<message_header, std::size_t> plan::written(
    node i, std::size_t receivers, std::span<summed_rows const> rows, fragment const &only) {
  if (rows.empty() || rows.size() > message_parts::most)
    refuse(i, "sends a message of " + std::to_string(rows.size()) + " rows; expected 1 to " +
                  std::to_string(message_parts::most));
  message_header m, first;
  m.from = i;
  m.columns = only;
  m.parts = static_cast<std::uint8_t>(rows.size());
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].own.empty()) refuse(i, "sends a message without a row of its own");
    m.entry = k == 0 ? boxes_.take(i, receivers, sent_) : boxes_.take_more(i, m.entry);
    m.payload = boxes_.owner(i, m.entry);
    m.whole = only.is_every() && is_whole(i, rows[k]);
    boxes_.set_whole(m.entry, m.whole);
    write_payload(m, rows[k], 0, only);
    bytes += only.is_every() ? bytes_of(m.whole) : bytes_of(only);
    if (k == 0) first = m;
  }
  return {first, bytes};
}

GOSSIP_INLINE bool plan::is_whole(node i, summed_rows const &row) const {
  return std::ranges::all_of(row.own, [](row_term const &t) { return t.row == model_row; }) &&
         std::ranges::all_of(row.held,
                             [&](message_term const &t) { return required(i, t.row).whole; });
}

GOSSIP_INLINE void plan::begin(message_header &m, node to, std::size_t bytes) {
  m.to = to;
  m.number = sent_++;
  if (times_->leaves_out(m.from, to, now_, between_trainings_, in_rounds_)) return boxes_.drop(m);
  bytes_ += bytes;
  bool const lost = times_->losses().lost(m.from, to);
  if (in_rounds_) {
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
    if (!times_->activities())  // else it is told when the message has arrived
      push(in_flight_[number].arrival.at, event_kind::message, m.to, number);
  }
}

GOSSIP_INLINE void plan::hand_over(message_header const &m) {
  handled_ = m.number;
  kept_ = false;
  calls_.on_message(calls_.exchange, *this, m.to, m);
  handled_ = nothing;
  if (!kept_) boxes_.drop(m);
}

GOSSIP_INLINE void plan::set_timer(node i, virtual_time delay, std::uint32_t tag, bool late) {
  require_form(!in_rounds_,
               "gossip::plan: timers belong to event exchanges. See "
               "docs/policies/exchange.md");
  require_form(calls_.on_timer != nullptr,
               "gossip::plan: set_timer needs an exchange with on_timer(auto &plan, node i, "
               "std::uint32_t tag) const. See docs/policies/exchange.md");
  require_owner("set_timer", i);
  if (delay.count() < 0) refuse(i, "sets a timer in the past");
  push(time_after(now_, delay), late ? event_kind::late_timer : event_kind::timer, i, tag);
}

}  // namespace gossip
