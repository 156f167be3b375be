// Writes the operations of a window, each with its level.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/op/operand.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/scalar_handle.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Appends to one window after another; knows for every node whether anything has named its rows
/// since its last training.
class operation_writer {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

 public:
  /// owners: nodes, servers and payloads.
  explicit operation_writer(std::size_t owners) : depths_(owners), training_(owners, nowhere) {}

  void begin(plan_window &window) {
    window_ = &window;
    ++windows_;
    depths_.clear();
    touch_all();
  }
  plan_window &window() const { return *window_; }

  /// The number of the next operation of the plan.
  std::uint64_t place() const { return written_; }

  void train(node i, planned_rows::named const &what, std::uint64_t batch, std::uint8_t flags = 0) {
    training_[i] = what.gradient == 0 ? window_->stream.size() : nowhere;
    std::uint32_t const level = depths_.train(i, what.rows);
    write({operation_kind::train, flags, what.gradient, level, i, 0, what.rows, 0.0, batch});
  }

  /// Makes a step part of the node's last training; false where its rows were named since.
  bool step_at_once(node i, double rate, std::uint32_t number) {
    if (training_[i] == nowhere) return false;
    operation &o = window_->stream[training_[i]];
    o.flags |= operation::with_step;
    o.coefficient = rate;
    o.b = number;
    training_[i] = nowhere;
    return true;
  }

  void step(node i, planned_rows::named const &what, double rate, std::uint64_t number) {
    training_[i] = nowhere;
    std::uint32_t const level = depths_.touch(i, what.rows);
    write({operation_kind::step, 0, what.gradient, level, i, i, what.rows, rate, number});
  }

  /// A column function on rows of node i, and of node j where the list names a second; i otherwise.
  /// first: where its coefficients begin, if it has several.
  void columns(node i, node j, std::uint16_t code, row_list const &rows, double coefficient,
               std::uint64_t first = 0) {
    training_[i] = training_[j] = nowhere;
    std::uint32_t const level = depths_.touch(i, j, rows);
    write({operation_kind::columns, 0, code, level, i, j, rows, coefficient, first});
  }

  /// The same with all of its coefficients; of several the window has the numbers.
  void columns_of(node i, node j, std::uint16_t code, row_list const &rows,
                  std::span<double const> c) {
    std::vector<double> &kept = window_->coefficients;
    std::uint64_t const first = c.size() > 1 ? kept.size() : 0;
    if (c.size() > 1) kept.insert(kept.end(), c.begin(), c.end());
    columns(i, j, code, rows, c.empty() ? 0.0 : c[0], first);
  }

  /// The same with operands, some of them scalars; of the second node it reads.
  void columns_of_scalars(node i, node j, std::uint16_t code, row_list const &rows,
                          std::span<coefficient const> operands) {
    training_[i] = training_[j] = nowhere;
    std::uint32_t const from = depth_behind(i, operands);
    std::uint32_t const level = depths_.touch_from(from, i, j, rows);
    write({operation_kind::columns, operation::of_scalars, code, level, i, j, rows, 0.0,
           keep_operands(operands)});
  }

  /// The same on the columns of a fragment alone; the window has its numbers, however many.
  void columns_within(fragment const &only, node i, node j, std::uint16_t code,
                      row_list const &rows, std::span<coefficient const> given) {
    training_[i] = training_[j] = nowhere;
    bool const computed = std::ranges::any_of(given, &coefficient::computed);
    std::uint32_t const from = depth_behind(i, given);
    std::uint32_t const level = depths_.touch_from(from, i, j, rows);
    std::uint8_t const flags = operation::of_fragment | (computed ? operation::of_scalars : 0);
    write({operation_kind::columns, flags, code, level, i, j, rows, limits_of(only),
           computed ? keep_operands(given) : keep_numbers(given)});
  }

  /// A row function on rows of node i, and of node j where the list names a second; i otherwise.
  scalar reduce_rows(node i, node j, std::uint16_t code, row_list const &rows) {
    begin_stages();
    training_[i] = training_[j] = nowhere;
    scalar const made = new_scalar(i, depths_.reduce(i, j, rows));
    write({operation_kind::reduce_rows, 0, code, made.depth, i, j, rows, 0.0, made.number});
    return made;
  }

  /// A row function on a row of node j and one of node l, the list's second, for node i.
  scalar reduce_rows_of_others(node i, node j, node l, std::uint16_t code, row_list const &rows) {
    begin_stages();
    training_[j] = training_[l] = nowhere;
    scalar const made = new_scalar(i, depths_.reduce(j, l, rows));
    write({operation_kind::reduce_rows, operation::of_others, code, made.depth, j, l, rows,
           std::bit_cast<double>(std::uint64_t{i}), made.number});
    return made;
  }

  /// A whole-row function on rows of node i, and of node j, which it reads, where the list names a
  /// second; i otherwise. Its operands may be scalars of node i.
  void whole_rows(node i, node j, std::uint16_t code, row_list const &rows,
                  std::span<coefficient const> operands) {
    begin_stages();
    training_[i] = training_[j] = nowhere;
    std::uint32_t const level = depths_.change(depth_behind(i, operands), i, j, rows);
    std::uint8_t const flags = operands.empty() ? 0 : operation::of_scalars;
    write(
        {operation_kind::whole_rows, flags, code, level, i, j, rows, 0.0, keep_operands(operands)});
  }

  /// A scalar function of scalars of node i and numbers of the plan.
  scalar compute(node i, std::uint16_t code, std::span<coefficient const> operands) {
    scalar const made = new_scalar(i, depth_behind(i, operands));
    write({operation_kind::compute, 0, code, made.depth, i, made.number, row_list{}, 0.0,
           keep_operands(operands)});
    return made;
  }

  /// A row of owner i = the sum of weight * row over the terms.
  void sum_to(node i, row_list const &rows, std::span<node_term const> terms) {
    touch_all();
    std::uint64_t const first = window_->terms.size();
    window_->terms.insert(window_->terms.end(), terms.begin(), terms.end());
    write({operation_kind::sum, 0, 0, depths_.touch_all(), i,
           checked_index(terms.size(), "plan: terms of a sum"), rows, 0.0, first});
  }
  /// A row of every node, or its fragment, = weight * the sum of rows over all nodes.
  void sum_over_nodes(row_list const &rows, double weight, fragment const &only) {
    touch_all();
    bool const all = only.is_every();
    auto const flags = static_cast<std::uint8_t>(operation::to_nodes | fragment_flag(only));
    write({operation_kind::sum, flags, 0, depths_.touch_all(), 0, 0, rows,
           all ? weight : limits_of(only), all ? 0 : std::bit_cast<std::uint64_t>(weight)});
  }

  /// A neighborhood function on a row of all nodes, or on its fragment.
  void mix(std::uint16_t code, row_list const &rows, std::uint64_t matrix, fragment const &only) {
    touch_all();
    write({operation_kind::mix, fragment_flag(only), code, depths_.touch_all(), 0, 0, rows,
           only.is_every() ? 0.0 : limits_of(only), matrix});
  }

  /// An operation on all nodes.
  void on_all(operation_kind kind, double coefficient, std::uint64_t count) {
    touch_all();
    write({kind, 0, 0, depths_.touch_all(), 0, 0, row_list{}, coefficient, count});
  }

 private:
  /// The bits of a fragment's limits, which stand in the place of a coefficient.
  static double limits_of(fragment const &only) {
    return std::bit_cast<double>(column_limits{checked_index(only.first, "plan: columns"),
                                               checked_index(only.end(), "plan: columns")});
  }
  static constexpr std::uint8_t fragment_flag(fragment const &only) {
    return only.is_every() ? std::uint8_t{0} : operation::of_fragment;
  }

  void begin_stages() {
    depths_.begin_stages();
    window_->begin_stages();
  }

  scalar new_scalar(node i, std::uint32_t depth) {
    return {i, checked_index(window_->scalars++, "plan: scalars of a window"), depth, windows_};
  }

  /// The first depth at which node i can read the scalars among the operands.
  std::uint32_t depth_behind(node i, std::span<coefficient const> operands) const {
    std::uint32_t depth = 0;
    for (coefficient const &one : operands) {
      if (!one.computed()) continue;
      scalar const &from = one.from();
      detail::require_scalar(i, from, windows_);
      depth = std::max(depth, from.depth + 1);
    }
    return depth;
  }

  std::uint64_t keep_operands(std::span<coefficient const> operands) {
    std::uint64_t const first = window_->operands.size();
    for (coefficient const &one : operands)
      window_->operands.push_back(
          {one.number(), one.computed() ? one.from().number : operand::none, false});
    if (!operands.empty()) window_->operands.back().last = true;
    return first;
  }

  std::uint64_t keep_numbers(std::span<coefficient const> given) {
    std::uint64_t const first = window_->coefficients.size();
    for (coefficient const &one : given) window_->coefficients.push_back(one.number());
    return first;
  }

  void write(operation const &o) {
    window_->stream.push_back(o);
    ++written_;
  }
  void touch_all() { std::fill(training_.begin(), training_.end(), nowhere); }

  depths depths_;
  std::vector<std::size_t> training_;  // (n) the last train of this window, if nothing came since
  plan_window *window_ = nullptr;
  std::uint64_t windows_ = 0, written_ = 0;
};

}  // namespace gossip
