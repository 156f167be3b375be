// The contents of a fleet, and the memory that they take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gossip {

/// The contents of a fleet, and the memory that they take.
struct fleet_size {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);

  std::size_t nodes;
  std::size_t parameters;      ///< d
  std::size_t optimizer_rows;  ///< rows a node beside its parameters
  bool shared;                 ///< one set of rows serves all nodes
  std::size_t held = all;      ///< nodes whose rows are here; fewer than all on one of many ranks
  std::size_t borrowed = 0;    ///< rows more, for those of other ranks' nodes
  std::size_t exchange_rows = 0;    ///< rows a node that the exchange keeps
  bool every_slot_borrows = false;  ///< whether rows besides parameters come from other ranks
  std::size_t servers = 0;          ///< of the network: owners with all slots, behind the nodes
  std::size_t payloads = 0;  ///< of the network: contents of messages, owners of slot 0 alone
  std::size_t held_servers = all, held_payloads = all;  ///< of those that are here
  std::size_t attackers = 0;  ///< the last of the nodes, whose numbers need not be finite

  /// True for an owner that is an attacking node.
  constexpr bool attacks(std::size_t i) const { return i < nodes && nodes - i <= attackers; }

  /// Slot 0 holds parameters, the next what the optimizer keeps, the last what the exchange keeps.
  constexpr std::size_t slots() const { return 1 + optimizer_rows + exchange_rows; }
  constexpr std::size_t borrowed_in(std::size_t slot) const {
    return slot == 0 || every_slot_borrows ? borrowed : 0;
  }
  /// A set of slots that has all of them; slots are bits of it.
  static constexpr std::uint32_t every_slot = static_cast<std::uint32_t>(-1);

  constexpr std::size_t held_nodes() const { return std::min(held, nodes); }
  /// Rows of nodes that are here.
  constexpr std::size_t rows() const { return shared ? 1 : held_nodes(); }
  /// And of servers.
  constexpr std::size_t rows_of_models() const { return rows() + std::min(held_servers, servers); }
  constexpr std::size_t payloads_here() const { return std::min(held_payloads, payloads); }
  /// Rows of a slot: those of nodes, of servers, borrowed ones, payloads.
  constexpr std::size_t rows_in(std::size_t slot) const {
    return rows_of_models() + borrowed_in(slot) + (slot == 0 ? payloads_here() : 0);
  }
  /// Rows of the slots before one; of all slots.
  constexpr std::size_t rows_before(std::size_t slot) const {
    return slot == 0 ? 0 : rows_in(0) + (slot - 1) * rows_in(1);
  }
  constexpr std::size_t all_rows() const { return rows_before(slots()); }
  /// Nodes, servers and payloads are numbered one after another, behind them borrowed rows.
  constexpr std::size_t owners() const { return nodes + servers + payloads; }
  constexpr std::size_t numbers_of_owners() const { return owners() + borrowed; }
  /// Owners whose rows are here, but for borrowed ones.
  constexpr std::size_t owners_here() const { return rows_of_models() + payloads_here(); }

  /// Numbers from one row to the next: whole cache lines, and never whole pages, so that a column
  /// of all rows does not fall on one set of the cache.
  template <class T>
  constexpr std::size_t stride() const {
    std::size_t const line = 64 / sizeof(T);
    std::size_t const lines = (parameters + line - 1) / line;
    return (lines % 64 == 0 ? lines + 1 : lines) * line;
  }

  template <class T>
  constexpr std::size_t bytes() const {
    return all_rows() * stride<T>() * sizeof(T);
  }
};

}  // namespace gossip
