// Scalars of a window on the host: their values, and the operations that make them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
#include <gossip/engine/host/stage_sums.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// to (count) = the first operands of an operation, as numbers.
inline void take_operands(operation const &o, std::size_t count, plan_window const &window,
                          double const *scalars, double *to) {
  for (std::size_t k = 0; k < count; ++k)
    to[k] = window.operands[o.first_operand() + k].value(scalars);
}

/// Sums by op::reduction_tree, whose blocks are divided among cores. The fleet outlives it.
template <class T, class Fleet>
class scalar_program {
  using tree = op::reduction_tree;
  using Row = typename Fleet::element;

 public:
  /// columns: those that are trainable, which are summed.
  scalar_program(Fleet const &rows, std::size_t columns, function_tables<T> const &functions)
      : rows_(rows), columns_(columns), functions_(functions) {}

  /// Room for the scalars of a window.
  void begin(plan_window const &window) {
    grow_capacity(values_, window.scalars);
    values_.resize(window.scalars);
  }

  double const *values() const { return values_.data(); }

  /// Those of the window's operations that make scalars; they do not depend on each other.
  void run(host_machine<T> const &machine, std::span<operation const> operations,
           plan_window const &window) {
    asked_.build(operations, [&](operation const &o) {
      return !std::is_same_v<T, double> && function_of(o).add_doubles != nullptr;
    });
    add_up(machine, operations);
    std::size_t const blocks = tree::blocks(columns_);
    auto const sums = asked_.sums();
    machine.for_each(sums.size(), [&](std::size_t, std::size_t k) {
      operation const &o = operations[sums[k].operation];
      values_[o.scalar()] = tree::add_blocks(sums_.data() + k * blocks, blocks, fold_of(o));
    });
    for (auto const &[again, made] : asked_.repeated())
      values_[operations[again].scalar()] = values_[operations[made].scalar()];
    machine.for_each(operations.size(), [&](std::size_t, std::size_t k) {
      operation const &o = operations[k];
      if (o.kind() == operation_kind::compute) values_[o.scalar()] = computed(o, window);
    });
  }

 private:
  static constexpr std::size_t width = std::is_same_v<Row, T> ? tree::block : rounding_block;
  static_assert(width % tree::lanes == 0);
  static_assert(lease_parts::unit % tree::block == 0);  // a block of a sum lies in one lease
  static constexpr std::size_t most_numbers = 8192;     // in double, of a group's rows

  /// Of a worker: numbers of a group's rows, and lanes of its sums.
  struct scratch {
    std::vector<double> numbers, lanes;
  };

  /// Sums of all blocks, (sums, blocks).
  void add_up(host_machine<T> const &machine, std::span<operation const> operations) {
    auto const groups = asked_.groups();
    std::size_t const blocks = tree::blocks(columns_), all = asked_.sums().size() * blocks;
    grow_capacity(sums_, all);
    sums_.resize(all);
    scratch_.resize(machine.workers());
    // Blocks of a piece: few where there would be less than eight pieces a worker.
    std::size_t const at_once =
        std::clamp<std::size_t>(groups.size() * blocks / (8 * machine.workers()), 1, 16);
    bool const by_owners =
        !rows_.in_memory() && lease_owners(rows_.prefers_owners(), rows_.size(), operations);
    if (by_owners) return add_up_by_owners(machine, operations);
    used_slots read;
    for (stage_sums::sum const &one : asked_.sums())
      read |= uses_of(operations[one.operation]).together();
    each_part(rows_, read, 0, columns_, [&](auto const &rows, std::size_t begin, std::size_t end) {
      std::size_t const first_block = begin / tree::block, last_block = tree::blocks(end);
      std::size_t const parts = (last_block - first_block + at_once - 1) / at_once;
      machine.for_each(groups.size() * parts, [&](std::size_t worker, std::size_t piece) {
        stage_sums::group const &one = groups[piece / parts];
        std::size_t const first = first_block + piece % parts * at_once;
        std::size_t const last = std::min(first + at_once, last_block);
        for (std::size_t b = first; b < last; ++b) {
          if (one.rows > 0) {
            add_group(rows, one, operations, b, scratch_[worker]);
            continue;
          }
          for (std::size_t k = one.first; k < one.first + one.count; ++k)
            sums_[k * blocks + b] = sum_of_block(rows, operations[asked_.sums()[k].operation], b);
        }
      });
    });
  }

  /// The same from whole rows of the owners that the sums name, each sum by itself.
  void add_up_by_owners(host_machine<T> const &machine, std::span<operation const> operations) {
    std::size_t const blocks = tree::blocks(columns_);
    std::vector<operation> own;
    for (stage_sums::sum const &one : asked_.sums()) own.push_back(operations[one.operation]);
    std::size_t done = 0;
    each_operations_part(
        rows_, std::span<operation const>(own), [&](auto const &rows, auto const &part) {
          machine.for_each(part.size() * blocks, [&](std::size_t, std::size_t piece) {
            std::size_t const k = piece / blocks, b = piece % blocks;
            sums_[(done + k) * blocks + b] = sum_of_block(rows, part[k], b);
          });
          done += part.size();
        });
  }

  /// A block of a group's sums, by numbers in double of so many columns as stay in cache.
  void add_group(leased_rows<Row> const &leased, stage_sums::group const &group,
                 std::span<operation const> operations, std::size_t b, scratch &own) {
    std::size_t const first = b * tree::block, last = std::min(first + tree::block, columns_);
    std::size_t const each =
        std::min<std::size_t>(256, most_numbers / group.rows / tree::lanes * tree::lanes);
    auto const rows = asked_.rows(group);
    auto const sums = asked_.sums().subspan(group.first, group.count);
    own.numbers.resize(most_numbers);
    own.lanes.resize(group.count * tree::lanes);
    for (std::size_t k = 0; k < sums.size(); ++k)
      std::fill_n(own.lanes.begin() + static_cast<std::ptrdiff_t>(k * tree::lanes), tree::lanes,
                  fold_of(operations[sums[k].operation]).none());
    for (std::size_t begin = first; begin < last; begin += each) {
      std::size_t const end = std::min(begin + each, last);
      for (std::size_t r = 0; r < rows.size(); ++r)
        widen(leased.row(rows[r].slot, rows[r].owner, begin), end - begin,
              own.numbers.data() + r * each);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        operation const &o = operations[sums[k].operation];
        double const *at[most_rows];
        for (std::size_t r = 0; r < o.rows.size(); ++r)
          at[r] = own.numbers.data() + sums[k].places[r] * each;
        function_of(o).add_doubles(at, end - begin, own.lanes.data() + k * tree::lanes);
      }
    }
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums_[(group.first + k) * tree::blocks(columns_) + b] = tree::add_lanes(
          own.lanes.data() + k * tree::lanes, fold_of(operations[sums[k].operation]));
  }

  static void widen(Row const *row, std::size_t count, double *to) {
    T block[std::is_same_v<Row, T> ? 1 : width];
    T const *const numbers = numbers_of(row, count, block);
    for (std::size_t c = 0; c < count; ++c) to[c] = static_cast<double>(numbers[c]);
  }

  double sum_of_block(leased_rows<Row> const &leased, operation const &o, std::size_t b) const {
    reduction_kernel<T> const &function = function_of(o);
    std::size_t const first = b * tree::block, last = std::min(first + tree::block, columns_);
    T blocks[std::is_same_v<Row, T> ? 1 : most_rows][std::is_same_v<Row, T> ? 1 : width];
    T const *rows[most_rows];
    double lanes[tree::lanes];
    std::fill_n(lanes, tree::lanes, function.fold.none());
    for (std::size_t begin = first; begin < last; begin += width) {
      std::size_t const end = std::min(begin + width, last);
      for (std::size_t k = 0; k < o.rows.size(); ++k) {
        row_access const one = o.rows[k];
        Row const *const row = leased.row(one.slot, o.owner(one), begin);
        rows[k] = numbers_of(row, end - begin, blocks[std::is_same_v<Row, T> ? 0 : k]);
      }
      function.add(rows, end - begin, lanes);
    }
    return tree::add_lanes(lanes, function.fold);
  }

  reduction_kernel<T> const &function_of(operation const &o) const {
    return functions_.reductions[o.reduce_rows().function];
  }
  op::term_fold fold_of(operation const &o) const { return function_of(o).fold; }

  double computed(operation const &o, plan_window const &window) const {
    work::compute const &own = o.compute();
    return functions_.scalars[own.function].call(window.operands.data() + own.operands,
                                                 values_.data());
  }

  Fleet const &rows_;
  std::size_t columns_;
  function_tables<T> const &functions_;
  stage_sums asked_;
  std::vector<double> values_, sums_;  // sums (sums, blocks)
  std::vector<scratch> scratch_;       // (workers)
};

}  // namespace gossip
