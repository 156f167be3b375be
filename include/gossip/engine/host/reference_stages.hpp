// Operations that end a stage as the reference engine executes them, one at a time.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// The fleet outlives it.
template <class T, class Fleet>
class reference_stages {
 public:
  /// tensors: of the parameters.
  reference_stages(Fleet const &rows, std::span<row_tensor const> tensors,
                   function_tables<T> const &functions)
      : rows_(rows), tensors_(tensors), columns_(tensors_.columns()), functions_(functions) {}

  void begin(plan_window const &window) { values_.assign(window.scalars, 0.0); }
  double const *scalars() const { return values_.data(); }

  /// The first operands of an operation that may read scalars.
  std::vector<double> operands(operation const &o, std::size_t count,
                               plan_window const &window) const {
    std::vector<double> given;
    for (std::size_t k = 0; k < count; ++k) {
      operand const &one = window.operands[o.first_operand() + k];
      given.push_back(one.scalar == operand::none ? one.number : values_[one.scalar]);
    }
    return given;
  }

  /// All terms at once, then lanes of blocks, then blocks, as op/row_reduction.hpp says.
  void reduce_rows(operation const &o) {
    std::vector<double> const terms = terms_of(o);
    if (functions_.reductions[o.reduce_rows().function].fold.largest) {
      double &largest = values_[o.scalar()] = -std::numeric_limits<double>::infinity();
      for (double const x : terms)
        if (std::isnan(x) || x > largest) largest = x;
      return;
    }
    std::vector<std::array<double, 16>> lanes((columns_ + 2047) / 2048);
    for (std::size_t c = 0; c < columns_; ++c) lanes[c / 2048][c % 16] += terms[c];
    std::vector<double> sums;
    for (auto const &l : lanes)
      sums.push_back((((l[0] + l[8]) + (l[4] + l[12])) + ((l[2] + l[10]) + (l[6] + l[14]))) +
                     (((l[1] + l[9]) + (l[5] + l[13])) + ((l[3] + l[11]) + (l[7] + l[15]))));
    while (sums.size() > 1) {
      std::vector<double> pairs;
      for (std::size_t k = 0; k < sums.size(); k += 2)
        pairs.push_back(k + 1 < sums.size() ? sums[k] + sums[k + 1] : sums[k]);
      sums = pairs;
    }
    values_[o.scalar()] = sums.empty() ? 0.0 : sums[0];
  }

  void compute(operation const &o, plan_window const &window) {
    values_[o.scalar()] = functions_.scalars[o.compute().function].call(
        window.operands.data() + o.compute().operands, values_.data());
  }

  /// On numbers beside the rows.
  void whole_rows(operation const &o, plan_window const &window, row_write const &write) const {
    whole_row_kernel<T> const &function = functions_.whole_rows[o.whole_rows().function];
    auto const given = operands(o, function.coefficients, window);
    std::vector<std::vector<T>> numbers(o.rows.size());
    std::vector<T *> at;
    auto const rows = rows_used(rows_, o);
    auto const row = [&](std::size_t k) { return rows.row(o.rows[k].slot, o.owner(o.rows[k])); };
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      for (std::size_t c = 0; c < columns_; ++c) numbers[k].push_back(static_cast<T>(row(k)[c]));
      at.push_back(numbers[k].data());
    }
    function.run(tensors_, given.data(), at.data());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (o.rows[k].writes) put_columns(write, o.rows[k].slot, at[k], 0, columns_, row(k));
  }

 private:
  /// The terms of all columns.
  std::vector<double> terms_of(operation const &o) const {
    std::vector<double> terms;
    auto const rows = rows_used(rows_, o);
    for (std::size_t c = 0; c < columns_; ++c) {
      T column[most_rows];
      for (std::size_t k = 0; k < o.rows.size(); ++k)
        column[k] = static_cast<T>(*rows.row(o.rows[k].slot, o.owner(o.rows[k]), c));
      terms.push_back(functions_.reductions[o.reduce_rows().function].one(column));
    }
    return terms;
  }

  Fleet const &rows_;
  row_tensors tensors_;
  std::size_t columns_;
  function_tables<T> const &functions_;
  std::vector<double> values_;  // of the window
};

}  // namespace gossip
