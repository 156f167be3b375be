// Definitions of plan/message.hpp.
#pragma once

#include <gossip/plan/message.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE message_header message_header::part(std::size_t number_of_part) const {
  if (number_of_part >= parts)
    throw error("exchange: reads row " + std::to_string(number_of_part) + " of a message of " +
                std::to_string(parts) + " from node " + std::to_string(from));
  message_header other = *this;
  other.named = static_cast<std::uint8_t>(number_of_part);
  other.whole = true;
  return other;
}

GOSSIP_INLINE std::uint32_t outboxes::take(node i, std::size_t uses, std::uint64_t first) {
  box &own = boxes_[i];
  std::uint32_t entry = own.oldest;
  if (counts_ ? entry == none : own.made < own.size) {
    entry = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({own.made++, 0, none});
  } else if (entry == none) {
    throw error("exchange: node " + std::to_string(i) + " has more than " +
                std::to_string(own.size) + " messages that were not dropped");
  } else {
    own.oldest = entries_[entry].next;
    if (own.oldest == none) own.newest = none;
    entries_[entry].next = none;
  }
  entries_[entry].uses = static_cast<std::uint32_t>(uses);
  entries_[entry].first = first;
  entries_[entry].last = first + uses;
  return entry;
}

GOSSIP_INLINE void outboxes::require(message_header const &m) const {
  if (m.entry == lasting) return;
  if (m.entry < entries_.size()) {
    entry_of const &one = entries_[m.entry];
    if (one.uses > 0 && m.number >= one.first && m.number < one.last) return;
  }
  throw error("exchange: reads a message that is gone; plan.keep(m) in on_message keeps it");
}

GOSSIP_INLINE void outboxes::drop(message_header const &m) {
  if (m.entry >= entries_.size()) throw error("exchange: drops an object that is not a message");
  entry_of &one = entries_[m.entry];
  if (one.uses == 0) throw error("exchange: drops a message twice");
  if (--one.uses > 0) return;
  box &own = boxes_[m.from];
  (own.newest == none ? own.oldest : entries_[own.newest].next) = m.entry;
  own.newest = m.entry;
  for (; entries_[own.newest].next != none; own.newest = entries_[own.newest].next)
    entries_[entries_[own.newest].next].uses = 0;
}

}  // namespace gossip
