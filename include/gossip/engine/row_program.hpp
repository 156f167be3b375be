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
template <class T, class Backend>
class row_program {
  using fleet_type = fleet<T, Backend::template buffer>;

 public:
  /// mixed: columns that averages and matrices work on.
  row_program(fleet_type const &rows, row_arithmetic<T> const &arithmetic, std::size_t mixed)
      : rows_(rows), arithmetic_(arithmetic), mixed_(mixed) {}

  /// Takes the operations of the next program and what their columns share.
  void prepare(std::span<operation const> operations,
               std::span<mixing_matrix const *const> matrices, mixing_cache<T> &cache) {
    operations_ = operations;
    std::size_t const room = std::max(operations.size(), 2 * rows_.size().rows());
    make_room(scales_, room);
    make_room(mixing_, room);
    scales_.resize(operations.size());
    mixing_.assign(operations.size(), nullptr);
    for (std::size_t k = 0; k < operations.size(); ++k) {
      operation const &o = operations[k];
      if (o.kind == operation_kind::step || o.kind == operation_kind::reduce)
        scales_[k] = arithmetic_.scale(o.coefficient, o.count);
      if (o.kind != operation_kind::mix) continue;
      mixing_[k] = &cache.of(*matrices[o.count]);
    }
  }

  /// Runs the program on columns first to last; scratch as mix_panel wants it, sums those of a
  /// reduce.
  void run(std::size_t first, std::size_t last, T *scratch, exact_sum const *sums) const {
    std::size_t const begin = std::min(first, mixed_), end = std::min(last, mixed_);
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      operation const &o = operations_[k];
      switch (o.kind) {
        case operation_kind::step:
          arithmetic_.step(scales_[k], columns_of(rows_, o.a, first, last));
          break;
        case operation_kind::average:
          average(rows_.parameters(o.a), rows_.parameters(o.b), begin, end);
          break;
        case operation_kind::combine:
          combine(static_cast<T>(o.coefficient), rows_.parameters(o.a), rows_.parameters(o.b),
                  begin, end);
          break;
        case operation_kind::mix:
          if (begin < end) Backend::mix_panel(*mixing_[k], rows_.slot(0), begin, end, scratch);
          break;
        case operation_kind::reduce:
          reduce(scales_[k], first, last, *sums);
          break;
        case operation_kind::train:
        case operation_kind::observe:
          break;
      }
    }
  }

 private:
  static void average(T *__restrict a, T *__restrict b, std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) a[c] = b[c] = (a[c] + b[c]) * T(0.5);
  }

  static void combine(T share, T *__restrict a, T const *__restrict b, std::size_t first,
                      std::size_t last) {
    T const rest = T{1} - share;
    for (std::size_t c = first; c < last; ++c) a[c] = rest * a[c] + share * b[c];
  }

  /// The mean gradient of a panel, a stretch at a time, absorbed and stepped by the shared replica.
  void reduce(typename row_arithmetic<T>::step_scale const &scale, std::size_t first,
              std::size_t last, exact_sum const &sums) const {
    constexpr std::size_t stretch = 512;
    double const nodes = static_cast<double>(rows_.size().nodes);
    T mean[stretch];
    for (std::size_t begin = first; begin < last; begin += stretch) {
      std::size_t const end = std::min(begin + stretch, last);
      for (std::size_t c = begin; c < end; ++c)
        mean[c - begin] = static_cast<T>(sums.take_value(c) / nodes);
      arithmetic_.absorb_and_step(scale, mean, columns_of(rows_, 0, begin, end));
    }
  }

  fleet_type const &rows_;
  row_arithmetic<T> arithmetic_;
  std::size_t mixed_;
  std::span<operation const> operations_;
  std::vector<typename row_arithmetic<T>::step_scale> scales_;
  std::vector<op::mixing_rows<T> const *> mixing_;  // of each operation
};

}  // namespace gossip
