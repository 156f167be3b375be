// Writes the operations of a window, each with its level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Appends to one window after another; knows for every node whether anything has named its rows
/// since its last training.
class operation_writer {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

 public:
  explicit operation_writer(std::size_t nodes) : depths_(nodes), training_(nodes, nowhere) {}

  void begin(plan_window &window) {
    window_ = &window;
    depths_.clear();
    touch_all();
  }
  plan_window &window() const { return *window_; }

  void train(node i, planned_rows::named const &what, std::uint64_t batch, bool counts = true) {
    training_[i] = what.gradient == 0 ? window_->stream.size() : nowhere;
    std::uint32_t const level = depths_.train(i, what.rows);
    write(
        {operation_kind::train, false, !counts, what.gradient, level, i, 0, what.rows, 0.0, batch});
  }

  /// Makes a step part of the node's last training; false where its rows were named since.
  bool step_at_once(node i, double rate, std::uint32_t number) {
    if (training_[i] == nowhere) return false;
    operation &o = window_->stream[training_[i]];
    o.steps_at_once = true;
    o.coefficient = rate;
    o.b = number;
    training_[i] = nowhere;
    return true;
  }

  void step(node i, planned_rows::named const &what, double rate, std::uint64_t number) {
    training_[i] = nowhere;
    std::uint32_t const level = depths_.touch(i, i, what.rows);
    write(
        {operation_kind::step, false, false, what.gradient, level, i, i, what.rows, rate, number});
  }

  /// A column function on rows of node i, and of node j where the list names a second; i otherwise.
  /// first: where its coefficients begin, if it has several.
  void columns(node i, node j, std::uint16_t code, row_list const &rows, double coefficient,
               std::uint64_t first = 0) {
    training_[i] = training_[j] = nowhere;
    std::uint32_t const level = depths_.touch(i, j, rows);
    write({operation_kind::columns, false, false, code, level, i, j, rows, coefficient, first});
  }

  /// An operation on all nodes.
  void on_all(operation_kind kind, double coefficient, std::uint64_t count, std::uint16_t code = 0,
              row_list const &rows = {}) {
    touch_all();
    write({kind, false, false, code, depths_.touch_all(), 0, 0, rows, coefficient, count});
  }

  /// Keeps several coefficients for the window; returns where they begin.
  template <class Numbers>
  std::uint64_t keep(Numbers const &numbers) {
    std::uint64_t const first = window_->coefficients.size();
    window_->coefficients.insert(window_->coefficients.end(), std::begin(numbers),
                                 std::end(numbers));
    return first;
  }

 private:
  void write(operation const &o) { window_->stream.push_back(o); }
  void touch_all() { std::fill(training_.begin(), training_.end(), nowhere); }

  depths depths_;
  std::vector<std::size_t> training_;  // (n) the last train of this window, if nothing came since
  plan_window *window_ = nullptr;
};

}  // namespace gossip
