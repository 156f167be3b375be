// The rows that operations use, from the fleet that has them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Slots of rows that an operation changes in some columns, or not at all: to be at hand as they
/// are.
constexpr used_slots in_place(used_slots const &used) {
  return {used.slots(), used.written};
}

/// All columns of the rows that an operation uses, for its length.
template <class Fleet>
leased_rows<typename Fleet::element> rows_used(Fleet const &rows, operation const &o) {
  row_uses const uses = uses_of(o);
  if (!uses.of_two_owners())
    return rows.columns(in_place(uses.together()), 0, rows.size().parameters);
  owner_use const both[] = {{o.a, in_place(uses.first)}, {o.b(), in_place(uses.second)}};
  return rows.whole(std::span(both).first(uses.second.slots() == 0 ? 1 : 2));
}

/// Operations in their order, cut into parts whose owners' rows can be leased at once: of
/// operations that use rows of two owners at most.
class owners_of_operations {
 public:
  /// The number of the first operations whose owners' rows fit into a lease, one at least; uses()
  /// are these rows. owners: of the fleet, with borrowed rows.
  std::size_t first_part(std::span<operation const> operations, std::size_t owners,
                         std::size_t most);
  std::span<owner_use const> uses() const { return uses_; }

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  void add(node owner, used_slots const &used);

  std::vector<std::uint32_t> place_;  // (owners) among uses, or none
  std::vector<owner_use> uses_;
};

/// f(leased rows, part) for parts of operations that use rows of two owners at most, in their
/// order; while one part is worked on, the rows of the next are brought, behind the last part the
/// rows of operations that are likely to follow. Where all rows are in memory there is one part.
template <class Fleet, class F>
void each_operations_part(Fleet const &rows, std::span<operation const> operations, F f,
                          std::span<operation const> following = {}) {
  if (operations.empty()) return;
  if (rows.parts().owners == lease_parts::all)
    return f(rows.whole(std::span<owner_use const>{}), operations);
  std::array<owners_of_operations, 2> turns;
  auto const part = [&](std::size_t turn, std::span<operation const> from) {
    return turns[turn].first_part(from, rows.size().numbers_of_owners(), rows.parts().owners);
  };
  std::size_t turn = 0, count = part(turn, operations);
  for (auto rest = operations; !rest.empty(); turn = 1 - turn) {
    auto const here = rows.whole(turns[turn].uses());
    auto const now = rest.first(count);
    rest = rest.subspan(count);
    count = part(1 - turn, rest.empty() ? following : rest);
    rows.expect(turns[1 - turn].uses());
    f(here, now);
  }
}

/// The first of some operations that use rows of two owners at most.
inline std::span<operation const> of_two_owners(std::span<operation const> operations) {
  auto const other = std::ranges::find_if(
      operations, [](operation const &o) { return !uses_of(o).of_two_owners(); });
  return {operations.begin(), other};
}

/// Whether operations on few owners lease whole rows of these: where the fleet prefers that, or
/// where columns of all rows would be four times as much. Others lease columns.
inline bool lease_owners(bool preferred, fleet_size const &size,
                         std::span<operation const> operations) {
  if (preferred) return true;
  std::size_t const rows = size.owners_here();
  return operations.size() < rows / 8 && of_two_owners(operations).size() == operations.size();
}

/// Owners in the order in which the operations of a window name them level by level, as they are
/// leased by trainings and, where by_owner, by row operations; owns(i): whether the rows of owner i
/// are here.
template <class Owns>
void list_planned_owners(plan_window const &window, bool by_owner, Owns owns,
                         std::vector<node> &order) {
  order.clear();
  for (operation const &o : window.by_level()) {
    row_uses const uses = uses_of(o);
    if (o.kind() != operation_kind::train && (!by_owner || !uses.of_two_owners())) continue;
    if (uses.first.slots() != 0 && owns(o.a)) order.push_back(o.a);
    if (uses.second.slots() != 0 && owns(o.b())) order.push_back(o.b());
  }
}

/// Executes row operations in their order: some after others, each with all columns, or all of them
/// part by part of the columns of all rows. prepare(operations) takes the next ones and returns the
/// slots that they use; run(leased rows, first, last) executes these on columns, of `columns` in
/// all. following: operations that are likely to be next.
template <class Fleet, class Prepare, class Run>
void each_program_part(Fleet const &rows, std::size_t columns,
                       std::span<operation const> operations, std::span<operation const> following,
                       Prepare prepare, Run run) {
  auto const all = [&](std::span<operation const> some) {
    used_slots const used = prepare(some);
    each_part(rows, used, 0, columns, run);
  };
  if (rows.in_memory() || !lease_owners(rows.prefers_owners(), rows.size(), operations))
    return all(operations);
  while (!operations.empty()) {
    std::size_t const count = of_two_owners(operations).size();
    each_operations_part(
        rows, operations.first(count),
        [&](auto const &here, auto part) {
          prepare(part);
          run(here, 0, columns);
        },
        following);
    if (count < operations.size()) all(operations.subspan(count, 1));
    operations = operations.subspan(std::min(count + 1, operations.size()));
  }
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/detail/used_rows.ipp>
#endif
