// Operations on the columns of a node's rows, one at a time, as every engine on the host does them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Columns first to last of a node step, by what was absorbed or by a row taken for a gradient.
template <class T, class Row>
void step_columns(leased_rows<Row> const &rows, row_arithmetic<T> const &arithmetic,
                  operation const &o, typename row_arithmetic<T>::step_scale const &scale,
                  std::size_t first, std::size_t last, row_write const &write) {
  if (!o.step().takes_row())
    return on_columns<T>(rows, o.a, first, last, write,
                         [&](auto const &range, std::size_t) { arithmetic.step(scale, range); });
  std::size_t const end = std::min(last, arithmetic.trainable());
  if (first >= end) return;
  on_columns<T>(rows, o.a, first, end, write, [&](auto const &range, std::size_t) {
    std::array<T, rounding_block> block;
    Row const *const row = rows.row(o.step().gradient_slot, o.a, range.first);
    T const *const gradient = numbers_of(row, range.last - range.first, block.data());
    arithmetic.absorb_and_step(scale, gradient, range);
  });
}

/// The end of a training with its gradient (d): the optimizer absorbs it, and steps where the step
/// is part of the training; or it goes to a row, and its statistics to the model.
template <class T, class Row>
void take_gradient(leased_rows<Row> const &rows, row_arithmetic<T> const &arithmetic,
                   operation const &o, typename row_arithmetic<T>::step_scale const &scale,
                   T const *gradient, std::size_t d, row_write const &write) {
  std::size_t first = 0;
  bool steps = o.train().steps();
  if (o.train().goes_to_row()) {
    std::uint8_t const slot = o.train().gradient_slot;
    first = std::min(arithmetic.trainable(), d);
    put_columns(write, slot, gradient, 0, first, rows.row(slot, o.a));
    steps = true;
  }
  if (first == d) return;
  on_columns<T>(rows, o.a, first, d, write, [&](auto const &range, std::size_t done) {
    if (steps)
      arithmetic.absorb_and_step(scale, gradient + first + done, range);
    else
      arithmetic.absorb(gradient + first + done, range);
  });
}

/// Columns first to last of x (n,d), changed by the neighborhoods in w: X <- W X as the backend has
/// it, or a function of another number. writes (n) where rows are rounded; scratch (n + beside,
/// columns_at_once).
template <class T, class Row>
void change_columns(host_machine<T> const &machine,
                    std::vector<neighborhood_kernel<T>> const &functions, std::uint16_t code,
                    op::mixing_rows<T> const &w, rows_view<Row> x, std::size_t first,
                    std::size_t last, T *scratch, row_write const *writes,
                    mixed_part<Row> const &part) {
  if constexpr (!std::is_same_v<Row, T>)
    mix_rounded(functions[code], w, x, first, last, machine.columns_at_once(), scratch, writes,
                part);
  else if (code == library_neighborhoods::number_of<op::weighted_sum>)
    machine.mix_tile(w, x, first, last, scratch, part.beside);
  else
    op::change_tile(functions[code], w, x, first, last, machine.columns_at_once(), scratch,
                    part.beside);
}

/// The coefficients of column functions, cast once each.
template <class T>
class cast_coefficients {
 public:
  /// Forgets all, with room for those of so many operations.
  void clear(std::size_t operations) {
    grow_capacity(numbers_, operations);
    numbers_.clear();
  }
  /// The `count` coefficients of an operation, wherever they are; scalars: their values.
  std::size_t add(work::columns const &own, std::size_t count, plan_window const &window,
                  double const *scalars) {
    std::size_t const at = numbers_.size();
    for (std::size_t k = 0; k < count; ++k)
      numbers_.push_back(static_cast<T>(window.coefficient_of(own, k, scalars)));
    return at;
  }
  T const *operator[](std::size_t at) const { return numbers_.data() + at; }

 private:
  std::vector<T> numbers_;
};

}  // namespace gossip
