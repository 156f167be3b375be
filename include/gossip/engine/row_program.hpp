// The light operations of a level as one program over columns: cut the columns into panels, run the
// whole program on a panel while it is in cache, take the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/room.hpp>
#include <gossip/engine/exact_sum.hpp>
#include <gossip/engine/gradient_work.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/row_rounding.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// A mixing matrix with its coefficients cast to the arithmetic type.
template <class T>
op::mixing_rows<T> cast_rows(mixing_matrix const &w) {
  op::mixing_rows<T> rows;
  rows.offsets.push_back(0);
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const [columns, values] = w.row(i);
    rows.columns.insert(rows.columns.end(), columns.begin(), columns.end());
    for (double const value : values) rows.values.push_back(static_cast<T>(value));
    rows.offsets.push_back(rows.columns.size());
  }
  return rows;
}

/// The matrices that a run has met, cast once each.
template <class T>
class mixing_cache {
 public:
  op::mixing_rows<T> const &of(mixing_matrix const &w) {
    for (auto const &[key, rows] : known_)
      if (key == &w) return rows;
    return known_.emplace_back(&w, cast_rows<T>(w)).second;
  }

 private:
  std::deque<std::pair<mixing_matrix const *, op::mixing_rows<T>>> known_;  // places stay
};

/// Light operations without observe, ready to run on any panel.
template <class T, class Backend, class Row = T>
class row_program {
  using fleet_type = fleet<Row, Backend::template buffer>;
  using writes_type = row_writes<Row, T>;

 public:
  /// mixed: columns that averages and matrices work on.
  row_program(fleet_type const &rows, row_arithmetic<T> const &arithmetic, std::size_t mixed)
      : rows_(rows), arithmetic_(arithmetic), mixed_(mixed) {}

  /// Takes the operations of the next program and what their columns share; the scaling says which
  /// steps are taken.
  template <class Scaling>
  void prepare(std::span<operation const> operations,
               std::span<mixing_matrix const *const> matrices, mixing_cache<T> &cache,
               Scaling &scaling, writes_type &writes) {
    operations_ = operations;
    std::size_t const room = std::max(operations.size(), 2 * rows_.size().rows());
    make_room(scales_, room);
    make_room(mixing_, room);
    scales_.resize(operations.size());
    mixing_.assign(operations.size(), nullptr);
    make_room(taken_, room);
    taken_.assign(operations.size(), true);
    for (std::size_t k = 0; k < operations.size(); ++k) {
      operation const &o = operations[k];
      if (o.kind == operation_kind::step || o.kind == operation_kind::reduce) {
        taken_[k] = scaling.steps(o);
        scales_[k] = arithmetic_.scale(o.coefficient, o.count - scaling.skipped(o.a));
      }
      if (o.kind == operation_kind::mix) mixing_[k] = &cache.of(*matrices[o.count]);
    }
    first_write_.resize(writes_type::rounds ? operations.size() : 0);
    if constexpr (writes_type::rounds) count_writes(writes);
  }

  /// Runs the program on columns first to last; scratch as mix_panel wants it, sums those of a
  /// reduce.
  void run(std::size_t first, std::size_t last, T *scratch, exact_sum const *sums) const {
    std::size_t const begin = std::min(first, mixed_), end = std::min(last, mixed_);
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      operation const &o = operations_[k];
      switch (o.kind) {
        case operation_kind::step:
          if (taken_[k]) step(o.a, scales_[k], first, last, write_of(k));
          break;
        case operation_kind::average:
          average(k, begin, end);
          break;
        case operation_kind::combine:
          combine(o, begin, end, write_of(k));
          break;
        case operation_kind::mix:
          if (begin < end) mix(k, begin, end, scratch);
          break;
        case operation_kind::reduce:
          if (taken_[k])
            reduce(scales_[k], first, last, *sums, write_of(k));
          else
            sums->clear(first, last);
          break;
        case operation_kind::train:
        case operation_kind::observe:
          break;
      }
    }
  }

 private:
  /// Who writes in which operation, in their order.
  void count_writes(writes_type &writes) {
    writes_.clear();
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      first_write_[k] = writes_.size();
      if (taken_[k])
        each_writer(operations_[k], rows_.size().nodes,
                    [&](node i) { writes_.push_back(writes.next(i)); });
    }
  }
  row_write write_of(std::size_t k, std::size_t which = 0) const {
    if constexpr (!writes_type::rounds) return {};
    return writes_[first_write_[k] + which];
  }

  void step(node i, typename row_arithmetic<T>::step_scale const &scale, std::size_t first,
            std::size_t last, row_write const &write) const {
    on_columns<T>(rows_, i, first, last, write,
                  [&](auto const &range, std::size_t) { arithmetic_.step(scale, range); });
  }

  void average(std::size_t k, std::size_t first, std::size_t last) const {
    operation const &o = operations_[k];
    bool const both = o.b < rows_.size().nodes;  // else a copy that another rank has lent
    row_write const second = both ? write_of(k, 1) : row_write{};
    on_two<T>(rows_, o.a, o.b, first, last, write_of(k), both ? &second : nullptr,
              [](T *__restrict a, T *__restrict b, std::size_t count) {
                for (std::size_t c = 0; c < count; ++c) a[c] = b[c] = (a[c] + b[c]) * T(0.5);
              });
  }

  void combine(operation const &o, std::size_t first, std::size_t last,
               row_write const &write) const {
    T const share = static_cast<T>(o.coefficient), rest = T{1} - share;
    on_two<T>(rows_, o.a, o.b, first, last, write, nullptr,
              [=](T *__restrict a, T const *__restrict b, std::size_t count) {
                for (std::size_t c = 0; c < count; ++c) a[c] = rest * a[c] + share * b[c];
              });
  }

  void mix(std::size_t k, std::size_t first, std::size_t last, T *scratch) const {
    if constexpr (writes_type::rounds)
      mix_rounded(*mixing_[k], rows_.slot(0), first, last, Backend::columns_at_once, scratch,
                  writes_.data() + first_write_[k]);
    else
      Backend::mix_panel(*mixing_[k], rows_.slot(0), first, last, scratch);
  }

  /// The mean gradient of a panel, a stretch at a time, absorbed and stepped by the shared replica.
  void reduce(typename row_arithmetic<T>::step_scale const &scale, std::size_t first,
              std::size_t last, exact_sum const &sums, row_write const &write) const {
    constexpr std::size_t stretch = 512;
    double const nodes = static_cast<double>(rows_.size().nodes);
    T mean[stretch];
    for (std::size_t begin = first; begin < last; begin += stretch) {
      std::size_t const end = std::min(begin + stretch, last);
      for (std::size_t c = begin; c < end; ++c)
        mean[c - begin] = static_cast<T>(sums.take_value(c) / nodes);
      on_columns<T>(rows_, 0, begin, end, write, [&](auto const &range, std::size_t done) {
        arithmetic_.absorb_and_step(scale, mean + done, range);
      });
    }
  }

  fleet_type const &rows_;
  row_arithmetic<T> arithmetic_;
  std::size_t mixed_;
  std::span<operation const> operations_;
  std::vector<typename row_arithmetic<T>::step_scale> scales_;
  std::vector<op::mixing_rows<T> const *> mixing_;  // of each operation
  std::vector<char> taken_;                         // whether a step is taken
  std::vector<row_write> writes_;                   // of rows in 16 bits, operation by operation
  std::vector<std::size_t> first_write_;            // of each operation
};

}  // namespace gossip
