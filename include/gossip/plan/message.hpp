// Messages of an exchange: as handlers get them, and as senders keep them until all have read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A message on its way or arrived: a row, or several, copied when it was sent.
struct message_header {
  node from = 0, to = 0;
  node payload = 0;                      ///< the owner of the first row
  std::uint32_t entry = 0;               ///< of the sender's outbox
  std::uint64_t number = 0;              ///< of all messages of the run, as they were sent
  bool whole = true;                     ///< true: a read model comes with its statistics
  std::uint8_t named = 0, parts = 1;     ///< the index of its named row, and the number of rows
  fragment columns = fragment::every();  ///< the columns sent of each row

  /// The same with another of its rows in the place of the first.
  message_header part(std::size_t number_of_part) const;
};

/// A row of an edge, from a node to a neighbour, that the node keeps; in the place of a message.
struct edge_row : message_header {};

/// A message with the exchange's message_state, which travels with the row.
template <class State>
struct message : message_header {
  State state{};
};

/// coefficient * the row of a message or of an edge.
struct message_term {
  double coefficient;
  message_header row;
};

/// A row of a message: the sum of rows of the sender, then of rows of messages.
struct message_part {
  std::vector<row_term> own;
  std::vector<message_term> held;

  message_part(std::initializer_list<row_term> own_terms, std::vector<message_term> held_terms = {})
      : own(own_terms), held(std::move(held_terms)) {}
};

/// The rows of one message.
struct message_parts {
  static constexpr std::size_t most = 255;

  std::vector<message_part> rows;

  message_parts(std::initializer_list<message_part> parts) : rows(parts) {}
};

/// Payloads of all senders; one where they are only counted.
inline std::size_t payloads_of(std::vector<std::uint32_t> const &outboxes) {
  return outboxes.empty() ? 1 : std::reduce(outboxes.begin(), outboxes.end(), std::size_t{0});
}

/// The payloads that senders have not been told to be read by all, numbered sender by sender. A
/// payload is used again as late as possible: its writer waits for all readers of its last row.
class outboxes {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

 public:
  /// The entry of what stays for good.
  static constexpr std::uint32_t lasting = none - 1;

  /// first: the number of the first payload. sizes (senders): payloads of each; empty: as many as
  /// it takes, all of one number, to count them. stays(sender): payloads that stay for good, the
  /// first of a sender's.
  outboxes(std::size_t senders, std::size_t first, std::span<std::uint32_t const> sizes)
      : outboxes(senders, first, sizes, [](std::size_t) { return std::uint32_t{0}; }) {}
  template <class Stays>
  outboxes(std::size_t senders, std::size_t first, std::span<std::uint32_t const> sizes,
           Stays stays)
      : counts_(sizes.empty()), first_(first), boxes_(senders) {
    for (std::size_t i = 0; i < senders; ++i) boxes_[i].made = stays(i);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      boxes_[i].begin = begin;
      boxes_[i].size = sizes[i];
      begin += sizes[i];
    }
  }

  /// A payload of node i for so many receivers, whose messages have the numbers from `first` on.
  std::uint32_t take(node i, std::size_t uses, std::uint64_t first = 0);

  /// One more payload for the same receivers: `last` is the entry of the one before.
  std::uint32_t take_more(node i, std::uint32_t last) {
    entry_of const before = entries_[last];
    std::uint32_t const entry = take(i, before.uses, before.first);
    return entries_[last].next = entry;
  }

  /// The entry of one of a message's payloads.
  std::uint32_t entry_of_part(std::uint32_t first, std::size_t part) const {
    for (; part > 0; --part) first = entries_[first].next;
    return first;
  }

  /// Whether a payload holds statistics.
  void set_whole(std::uint32_t entry, bool whole) { entries_[entry].whole = whole; }
  bool whole(std::uint32_t entry) const { return entries_[entry].whole; }

  /// The owner of a payload's row.
  node owner(node i, std::uint32_t entry) const { return placed(i, entries_[entry].place); }
  /// Of one that stays.
  node placed(node i, std::uint32_t place) const {
    return static_cast<node>(counts_ ? first_ : first_ + boxes_[i].begin + place);
  }

  /// Throws error for a message whose payload may hold another by now.
  void require(message_header const &m) const;

  /// One receiver has read it.
  void drop(message_header const &m);

  /// The most payloads that each sender has had at a time, (senders).
  std::vector<std::uint32_t> most() const {
    std::vector<std::uint32_t> most;
    for (box const &own : boxes_) most.push_back(own.made);
    return most;
  }

 private:
  struct entry_of {
    std::uint32_t place;  // in its sender's box
    std::uint32_t uses;
    std::uint32_t next;  // of those that nobody uses, the next younger; of a message's, the next
    std::uint64_t first = 0, last = 0;  // numbers of its messages
    bool whole = true;
  };
  struct box {
    std::size_t begin = 0;
    std::uint32_t size = 0, made = 0;
    std::uint32_t oldest = none, newest = none;  // of those that nobody uses
  };

  bool counts_;
  std::size_t first_;
  std::vector<box> boxes_;  // (senders)
  std::vector<entry_of> entries_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/message.ipp>
#endif
