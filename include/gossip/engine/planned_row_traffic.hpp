// Rows that a run reads from a store and writes to it, counted from the plan: as the levelled
// engine leases them if memory keeps no row from one lease to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/bits.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Counts rows: a slot of an owner each.
class planned_row_traffic {
 public:
  /// by_owner: row operations lease whole rows of their owners, at most so many, not columns of all
  /// rows.
  planned_row_traffic(fleet_size const &size, bool by_owner, std::size_t owners)
      : size_(size), by_owner_(by_owner), owners_(owners) {}

  void count(plan_window const &window);

  std::uint64_t read() const { return read_; }
  std::uint64_t written() const { return written_; }

 private:
  void add(used_slots const &used, std::size_t owners) {
    read_ += bit_count(used.read) * owners;
    written_ += bit_count(used.written) * owners;
  }
  void add_owners(operation const &o) {
    row_uses const uses = uses_of(o);
    add(in_place(uses.first), 1);
    add(in_place(uses.second), 1);
  }
  /// Adds the rows of all owners in some slots.
  void add_columns(used_slots const &used);
  void add_program(std::span<operation const> operations);
  void add_sum(operation const &o);
  /// The operations at the end of a stage.
  void add_last(std::span<operation const> operations);

  fleet_size size_;
  bool by_owner_;
  std::size_t owners_;
  std::uint64_t read_ = 0, written_ = 0;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/detail/planned_row_traffic.ipp>
#endif
