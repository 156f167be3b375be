// Writes the operations of a window, each with its level.
#pragma once

#include <algorithm>
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

  /// work: without its gradient's slot and its step.
  void train(node i, planned_rows::named const &what, work::train work) {
    training_[i] = what.gradient == 0 ? window_->stream.size() : nowhere;
    work.gradient_slot = what.gradient;
    write(depths_.train(i, what.rows), i, what.rows, work);
  }

  /// Makes a step part of the node's last training; false where its rows were named since.
  bool step_at_once(node i, double rate, std::uint32_t number) {
    if (training_[i] == nowhere) return false;
    work::train &own = window_->stream[training_[i]].train();
    own.rate = rate;
    own.step_number = number;
    training_[i] = nowhere;
    return true;
  }

  void step(node i, planned_rows::named const &what, double rate, std::uint64_t number) {
    training_[i] = nowhere;
    work::step const work{.gradient_slot = what.gradient, .rate = rate, .step_number = number};
    write(depths_.touch(i, what.rows), i, what.rows, work);
  }

  /// A column function that has one coefficient, or none, on rows of node i, and of node j where
  /// the list names a second; i otherwise.
  void columns(node i, node j, std::uint16_t function, row_list const &rows, double coefficient) {
    columns(i, j, rows, {.function = function, .b = j, .coefficient = coefficient});
  }

  /// The same with all of its coefficients.
  void columns(node i, node j, std::uint16_t function, row_list const &rows,
               std::span<double const> c, fragment const &only = fragment::every()) {
    work::columns work{.function = function, .b = j, .limits = limits_of(only), .coefficient = 0};
    take_numbers(work, c);
    columns(i, j, rows, work);
  }

  /// The same with coefficients some of which may be scalars of node i.
  void columns(node i, node j, std::uint16_t function, row_list const &rows,
               std::span<coefficient const> given, fragment const &only) {
    work::columns work{.function = function, .b = j, .limits = limits_of(only), .coefficient = 0};
    std::uint32_t const from = depth_behind(i, given);
    if (std::ranges::any_of(given, &coefficient::computed)) {
      work.place = coefficient_place::scalars;
      work.first = keep_operands(given);
    } else {
      take_numbers(work, given);
    }
    columns(i, j, rows, work, from);
  }

  /// A row function on rows of node i, and of node j where the list names a second; i otherwise.
  scalar reduce_rows(node i, node j, std::uint16_t function, row_list const &rows) {
    begin_stages();
    training_[i] = training_[j] = nowhere;
    scalar const made = new_scalar(i, depths_.reduce(i, j, rows));
    write(made.depth, i, rows,
          work::reduce_rows{.function = function, .b = j, .scalar = made.number, .owner = i});
    return made;
  }

  /// A row function on a row of node j and one of node l, the list's second, for node i.
  scalar reduce_rows_of_others(node i, node j, node l, std::uint16_t function,
                               row_list const &rows) {
    begin_stages();
    training_[j] = training_[l] = nowhere;
    scalar const made = new_scalar(i, depths_.reduce(j, l, rows));
    write(made.depth, j, rows,
          work::reduce_rows{
              .of_others = true, .function = function, .b = l, .scalar = made.number, .owner = i});
    return made;
  }

  /// A whole-row function on rows of node i, and of node j, which it reads, where the list names a
  /// second; i otherwise. Its operands may be scalars of node i.
  void whole_rows(node i, node j, std::uint16_t function, row_list const &rows,
                  std::span<coefficient const> operands) {
    begin_stages();
    training_[i] = training_[j] = nowhere;
    std::uint32_t const level = depths_.change(depth_behind(i, operands), i, j, rows);
    write(level, i, rows,
          work::whole_rows{.with_operands = !operands.empty(),
                           .function = function,
                           .b = j,
                           .operands = keep_operands(operands)});
  }

  /// A scalar function of scalars of node i and numbers of the plan.
  scalar compute(node i, std::uint16_t function, std::span<coefficient const> operands) {
    scalar const made = new_scalar(i, depth_behind(i, operands));
    write(made.depth, i, {},
          work::compute{
              .function = function, .scalar = made.number, .operands = keep_operands(operands)});
    return made;
  }

  /// A row of owner i = the sum of weight * row over the terms.
  void sum_to(node i, row_list const &rows, std::span<node_term const> terms) {
    touch_all();
    std::uint64_t const first = window_->terms.size();
    window_->terms.insert(window_->terms.end(), terms.begin(), terms.end());
    write(depths_.touch_all(), i, rows,
          work::sum{.count = checked_index(terms.size(), "plan: terms of a sum"), .first = first});
  }
  /// A row of every node, or its fragment, = weight * the sum of rows over all nodes.
  void sum_over_nodes(row_list const &rows, double weight, fragment const &only) {
    touch_all();
    write(depths_.touch_all(), 0, rows,
          work::sum{.to_all_nodes = true,
                    .over_all_nodes = true,
                    .limits = limits_of(only),
                    .weight = weight});
  }

  /// A neighborhood function on a row of all nodes, or on its fragment.
  void mix(std::uint16_t function, row_list const &rows, std::uint32_t matrix,
           fragment const &only) {
    touch_all();
    write(depths_.touch_all(), 0, rows,
          work::mix{.function = function, .matrix = matrix, .limits = limits_of(only)});
  }

  /// The shared replica steps.
  void reduce(double rate, std::uint64_t number) {
    touch_all();
    write(depths_.touch_all(), 0, row_list{}, work::reduce{.rate = rate, .step_number = number});
  }

  /// Observers look.
  void observe(observation const &what) {
    touch_all();
    write(depths_.touch_all(), 0, row_list{},
          work::observe{.observation = window_->observations.size()});
    window_->observations.push_back(what);
  }

 private:
  static column_limits limits_of(fragment const &only) {
    if (only.is_every()) return {};
    return {checked_index(only.first, "plan: columns"), checked_index(only.end(), "plan: columns")};
  }

  /// from: the first depth that it may have.
  void columns(node i, node j, row_list const &rows, work::columns const &work,
               std::uint32_t from = 0) {
    training_[i] = training_[j] = nowhere;
    write(depths_.touch_from(from, i, j, rows), i, rows, work);
  }

  /// One coefficient becomes part of the work; of several the window has the numbers.
  template <class Number>
  void take_numbers(work::columns &work, std::span<Number const> c) {
    if (c.size() == 1) work.coefficient = number_of(c[0]);
    if (c.size() <= 1) return;
    std::vector<double> &kept = window_->coefficients;
    work.place = coefficient_place::window;
    work.first = kept.size();
    for (Number const &one : c) kept.push_back(number_of(one));
  }
  static double number_of(double c) { return c; }
  static double number_of(coefficient const &c) { return c.number(); }

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

  /// Made in its place: to copy an operation right after its fields were stored stalls.
  template <class Work>
  void write(std::uint32_t level, node owner, row_list const &rows, Work const &work) {
    window_->stream.emplace_back(level, owner, rows, work);
    ++written_;
  }
  void touch_all() { std::fill(training_.begin(), training_.end(), nowhere); }

  depths depths_;
  std::vector<std::size_t> training_;  // (n) the last train of this window, if nothing came since
  plan_window *window_ = nullptr;
  std::uint64_t windows_ = 0, written_ = 0;
};

}  // namespace gossip
