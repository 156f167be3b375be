// Definitions of engine/host/row_program.hpp.
#pragma once

#include <gossip/engine/host/row_program.hpp>

#include <algorithm>

#include <gossip/core/capacity.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

template <class T, class Row>
void row_program<T, Row>::prepare(std::span<operation const> operations, plan_window const &window,
                                  mixing_cache<T> &cache, loss_scaling<T> &scaling,
                                  writes_type &writes, double const *scalars) {
  operations_ = operations;
  std::size_t const room = std::max(operations.size(), 2 * size_.rows());
  grow_capacity(ready_, room);
  ready_.assign(operations.size(), {});
  grow_capacity(scales_, room);
  scales_.clear();
  coefficients_.clear(2 * room);
  used_ = {};
  for (std::size_t k = 0; k < operations.size(); ++k) {
    operation const &o = operations[k];
    prepared &own = ready_[k];
    used_ |= in_place(uses_of(o).together());
    if (o.steps()) {
      own.taken = scaling.steps(o);
      own.at = scales_.size();
      scales_.push_back(arithmetic_.scale(o.rate(), scaling.number(o)));
    } else if (o.kind() == operation_kind::columns) {
      own.function = &functions_.columns[o.columns().function];
      own.at = coefficients_.add(o.columns(), own.function->coefficients, window, scalars);
    } else if (o.kind() == operation_kind::mix) {
      own.matrix = &cache.of(*window.matrices[o.mix().matrix]);
    }
  }
  if constexpr (writes_type::rounds) count_writes(writes);
}

template <class T, class Row>
void row_program<T, Row>::run(leased_rows<Row> const &rows, std::size_t first, std::size_t last,
                              T *scratch, reproducible_sum const *sums) const {
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    operation const &o = operations_[k];
    prepared const &own = ready_[k];
    switch (o.kind()) {
      case operation_kind::step:
        if (own.taken)
          step_columns(rows, arithmetic_, o, scales_[own.at], first, last, write_of(k));
        break;
      case operation_kind::columns:
        columns(rows, k, first, last);
        break;
      case operation_kind::mix:
        mix(rows, k, first, last, scratch);
        break;
      case operation_kind::reduce:
        if (own.taken)
          reduce(rows, scales_[own.at], first, last, *sums, write_of(k));
        else
          sums->clear(first, last);
        break;
      case operation_kind::train:
      case operation_kind::observe:
      case operation_kind::reduce_rows:
      case operation_kind::compute:
      case operation_kind::whole_rows:
      case operation_kind::sum:
        break;
    }
  }
}

template <class T, class Row>
void row_program<T, Row>::count_writes(writes_type &writes) {
  writes_.clear();
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    ready_[k].first_write = writes_.size();
    if (ready_[k].taken)
      each_writer(operations_[k], size_, [&](node i) { writes_.push_back(writes.next(i)); });
  }
}

template <class T, class Row>
void row_program<T, Row>::columns(leased_rows<Row> const &rows, std::size_t k, std::size_t first,
                                  std::size_t last) const {
  operation const &o = operations_[k];
  work::columns const &own = o.columns();
  first = std::max<std::size_t>(first, own.limits.first);
  std::size_t const end = std::min(last, own.end(o.rows, counts_));
  if (first >= end) return;
  bool const both = o.rows.writes_second() && own.b < size_.owners();
  row_write const second = both ? write_of(k, 1) : row_write{};
  T const *const c = coefficients_[ready_[k].at];
  on_rows<T>(rows, o, first, end, write_of(k), both ? &second : nullptr,
             [&](T *const *at, std::size_t count) { ready_[k].function->tile(c, at, count); });
}

template <class T, class Row>
void row_program<T, Row>::mix(leased_rows<Row> const &rows, std::size_t k, std::size_t first,
                              std::size_t last, T *scratch) const {
  operation const &o = operations_[k];
  first = std::max(first, o.first_column());
  std::size_t const end = std::min(last, end_of_columns(o, counts_));
  if (first >= end) return;
  rows_view<Row> const x = rows.nodes(o.slot(), first, end);
  change_columns(machine_, functions_.neighborhoods, o.mix().function, *ready_[k].matrix, x, 0,
                 end - first, scratch, writes_.data() + ready_[k].first_write,
                 {.column = first, .slot = o.slot()});
}

template <class T, class Row>
void row_program<T, Row>::reduce(leased_rows<Row> const &rows, step_scale const &scale,
                                 std::size_t first, std::size_t last, reproducible_sum const &sums,
                                 row_write const &write) const {
  constexpr std::size_t block = 512;
  double const nodes = static_cast<double>(size_.nodes);
  T mean[block];
  for (std::size_t begin = first; begin < last; begin += block) {
    std::size_t const end = std::min(begin + block, last);
    for (std::size_t c = begin; c < end; ++c)
      mean[c - begin] = static_cast<T>(sums.take_value(c) / nodes);
    on_columns<T>(rows, 0, begin, end, write, [&](auto const &range, std::size_t done) {
      arithmetic_.absorb_and_step(scale, mean + done, range);
    });
  }
}

}  // namespace gossip
