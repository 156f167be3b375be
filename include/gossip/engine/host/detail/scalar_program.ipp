// Definitions of engine/host/scalar_program.hpp.
#pragma once

#include <gossip/engine/host/scalar_program.hpp>

#include <algorithm>

#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

template <class T, class Fleet>
void scalar_program<T, Fleet>::run(host_machine<T> const &machine,
                                   std::span<operation const> operations,
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

template <class T, class Fleet>
void scalar_program<T, Fleet>::add_up(host_machine<T> const &machine,
                                      std::span<operation const> operations) {
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

template <class T, class Fleet>
void scalar_program<T, Fleet>::add_up_by_owners(host_machine<T> const &machine,
                                                std::span<operation const> operations) {
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

template <class T, class Fleet>
void scalar_program<T, Fleet>::add_group(leased_rows<Row> const &leased,
                                         stage_sums::group const &group,
                                         std::span<operation const> operations, std::size_t b,
                                         scratch &own) {
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
    sums_[(group.first + k) * tree::blocks(columns_) + b] =
        tree::add_lanes(own.lanes.data() + k * tree::lanes, fold_of(operations[sums[k].operation]));
}

template <class T, class Fleet>
void scalar_program<T, Fleet>::widen(Row const *row, std::size_t count, double *to) {
  T block[std::is_same_v<Row, T> ? 1 : width];
  T const *const numbers = numbers_of(row, count, block);
  for (std::size_t c = 0; c < count; ++c) to[c] = static_cast<double>(numbers[c]);
}

template <class T, class Fleet>
double scalar_program<T, Fleet>::sum_of_block(leased_rows<Row> const &leased, operation const &o,
                                              std::size_t b) const {
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

template <class T, class Fleet>
double scalar_program<T, Fleet>::computed(operation const &o, plan_window const &window) const {
  work::compute const &own = o.compute();
  return functions_.scalars[own.function].call(window.operands.data() + own.operands,
                                               values_.data());
}

}  // namespace gossip
