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

  void count(plan_window const &window) {
    for (std::size_t l = 0; l < window.levels(); ++l) {
      plan_level const level = window.level(l);
      for (operation const &o : level.cohort) add_owners(o);
      for (auto rest = level.row_operations; !rest.empty();) {
        auto const program = first_program(rest);
        add_program(program);
        rest = rest.subspan(program.size());
        if (rest.empty()) break;
        if (rest.front().kind() == operation_kind::sum) add_sum(rest.front());
        rest = rest.subspan(1);
      }
      add_last(level.last);
    }
  }

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
  void add_columns(used_slots const &used) {
    for (std::size_t s = 0; s < size_.slots(); ++s) {
      read_ += (used.read >> s & 1) * size_.rows_in(s);
      written_ += (used.written >> s & 1) * size_.rows_in(s);
    }
  }
  void add_program(std::span<operation const> operations) {
    used_slots together;
    bool const by_owners = lease_owners(by_owner_, size_, operations);
    for (operation const &o : operations) {
      row_uses const uses = uses_of(o);
      if (by_owners && uses.of_two_owners())
        add_owners(o);
      else if (by_owner_)
        add_columns(in_place(uses.together()));
      else
        together |= in_place(uses.together());
    }
    add_columns(together);
  }
  void add_sum(operation const &o) {
    used_slots const from{std::uint32_t{1} << o.rows.slot_of(true)};
    used_slots const to = changed_slots(std::uint32_t{1} << o.slot());
    std::size_t const terms = o.sum().count;
    bool const few = by_owner_ && uses_of(o).every_node.slots() == 0 && terms < owners_;
    if (few) return add(from, terms + 1), add(to, 1);
    add_columns(from);
    add_columns(to);
  }
  /// The operations at the end of a stage.
  void add_last(std::span<operation const> operations) {
    used_slots scalars;
    bool const by_owners = lease_owners(by_owner_, size_, operations);
    for (operation const &o : operations) {
      if (o.kind() == operation_kind::whole_rows || by_owners)
        add_owners(o);
      else if (o.kind() == operation_kind::reduce_rows)
        scalars |= in_place(uses_of(o).together());
    }
    add_columns(scalars);
  }

  fleet_size size_;
  bool by_owner_;
  std::size_t owners_;
  std::uint64_t read_ = 0, written_ = 0;
};

}  // namespace gossip
