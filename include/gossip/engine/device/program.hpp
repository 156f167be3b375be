// Row operations and optimizer arithmetic as functions of one column, for devices: one call runs
// the operations of a level on its column, or one of them where their nodes are distinct.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/repeat.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/operand.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/optimizer/statistics.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip::device_op {

/// The rows of a fleet in device memory. Two pointers and a distance in the place of an array of
/// slots: an array with an index of run time is copied to the local memory of each thread.
template <class T>
struct rows {
  T *models;  // slot 0
  std::size_t stride;
  bool shared;
  std::uint32_t const *places =
      nullptr;                        // (owners + borrowed) as the fleet's; null: node i has row i
  T *others = nullptr;                // slot 1
  std::size_t from_slot_to_slot = 0;  // from there on

  constexpr T *row(std::size_t slot, std::size_t place) const {
    return (slot == 0 ? models : others + (slot - 1) * from_slot_to_slot) + place * stride;
  }
  constexpr T *at(std::size_t slot, node i) const {
    return row(slot, shared ? 0 : places ? places[i] : i);
  }
};

/// The same with another slot in the place of the models, for what works on one slot.
template <class T>
constexpr rows<T> with_slot(rows<T> all, std::size_t slot) {
  all.models = all.row(slot, 0);
  return all;
}

/// places: those of the fleet in device memory, or null where it has none.
template <class T>
rows<T> rows_of(leased_rows<T> const &all, std::uint32_t const *places = nullptr) {
  auto const &[models, others, stride, from_slot_to_slot] = all.where();
  return {models, stride, all.size().shared, places, others, from_slot_to_slot};
}

/// Puts a number in the place of an element.
template <class Row, class T>
constexpr void put(rows<Row> const &all, std::size_t slot, node i, std::size_t c,
                   row_write const &write, T number) {
  Row &to = all.at(slot, i)[c];
  to = put_number(write, slot, c, to, number);
}

/// Calls f(parameter, optimizer rows) on one column of a node and stores both.
template <std::size_t Rows, class T, class Row, class F>
constexpr void on_column(rows<Row> const &all, node i, std::size_t c, row_write const &write, F f) {
  T column[Rows + 1];
  T x = static_cast<T>(all.at(0, i)[c]);
  repeat<Rows>([&](std::size_t s) { column[s] = static_cast<T>(all.at(s + 1, i)[c]); });
  f(x, column);
  put(all, 0, i, c, write, x);
  repeat<Rows>([&](std::size_t s) { put(all, s + 1, i, c, write, column[s]); });
}

/// The writes of an operation on its nodes a and b; not read for rows in the arithmetic's type.
struct operation_writes {
  row_write a, b;
};

/// The entry of an operation, or nothing where there are none.
constexpr operation_writes writes_of(operation_writes const *all, std::size_t k) {
  return all ? all[k] : operation_writes{};
}

/// An optimizer's kernel on trainable columns, running statistics behind them.
template <class T, class Kernel>
struct column_kernel {
  static_assert(Kernel::rows <= 4, "gossip::optimizer: a kernel may use at most 4 rows.");
  using statistics = running_statistics<T, Kernel::rows>;
  using scale_type = typename Kernel::scale_type;
  Kernel kernel;
  std::size_t trainable;

  /// Scales of steps, from their bytes.
  static constexpr scale_type const *scales(std::byte const *bytes) {
    return reinterpret_cast<scale_type const *>(bytes);
  }
  constexpr void absorb(std::size_t c, T gradient, T x, T *row) const {
    if (c < trainable)
      kernel.absorb(gradient, x, row);
    else
      statistics::absorb(gradient, x, row);
  }
  constexpr void step(std::size_t c, scale_type const &scale, T &x, T *row) const {
    if (c < trainable)
      kernel.step(scale, x, row);
    else
      statistics::step(x, row);
  }
  constexpr void absorb_and_step(std::size_t c, scale_type const &scale, T gradient, T &x,
                                 T *row) const {
    if (c < trainable)
      kernel.absorb_and_step(scale, gradient, x, row);
    else
      statistics::absorb_and_step(gradient, x, row);
  }
};

/// Inputs of a window's operations besides their rows.
template <class T>
struct given_numbers {
  T const *coefficients;
  operand const *operands;
  double const *scalars;  // their values
};

/// Operations of a level in device memory, or some of them.
struct level_part {
  operation const *operations;     // (count)
  std::byte const *scales;         // (count) of the optimizer's scale_type
  operation_writes const *writes;  // (count); null where rows are not rounded
  std::size_t count;
};

/// A program without mixing. Part p has operations p, p + parts and so on; a single part has all
/// operations in their order.
template <class T, class Row>
struct program {
  rows<Row> all;
  level_part level;
  given_numbers<T> given;
  reproducible_sum sums;     // for reduce
  std::size_t nodes, mixed;  // mixed: columns of the models that an exchange works on
  op::divisor columns_of_row;
  std::size_t parts;
};

/// A program on one column; index counts (part, column). Functions: the lists that codes count in.
template <class T, class Row, class Kernel, class Functions>
struct run_program {
  program<T, Row> what;
  column_kernel<T, Kernel> kernel;

  constexpr void operator()(std::size_t index) const {
    auto const [part, c] = what.columns_of_row.split(index);
    auto const *const scales = kernel.scales(what.level.scales);
    for (std::size_t k = part; k < what.level.count; k += what.parts)
      run(what.level.operations[k], scales[k], writes_of(what.level.writes, k), c);
  }

  constexpr void run(operation const &o, typename Kernel::scale_type const &scale,
                     operation_writes const &by, std::size_t c) const {
    if (o.kind() == operation_kind::step) {
      step(o, scale, by, c);
    } else if (o.kind() == operation_kind::columns) {
      if (c < what.mixed && (c < kernel.trainable || o.rows.only_models()) &&
          o.columns().limits.hold(c))
        columns(o, by, c);
    } else if (o.kind() == operation_kind::reduce) {
      T const mean = static_cast<T>(what.sums.take_value(c) / static_cast<double>(what.nodes));
      on_column<Kernel::rows, T>(what.all, 0, c, by.a, [&](T &x, T *row) {
        kernel.absorb_and_step(c, scale, mean, x, row);
      });
    }
  }

  constexpr void step(operation const &o, typename Kernel::scale_type const &scale,
                      operation_writes const &by, std::size_t c) const {
    if (!o.step().takes_row())
      return on_column<Kernel::rows, T>(what.all, o.a, c, by.a,
                                        [&](T &x, T *row) { kernel.step(c, scale, x, row); });
    if (c >= kernel.trainable) return;
    T const gradient = static_cast<T>(what.all.at(o.step().gradient_slot, o.a)[c]);
    on_column<Kernel::rows, T>(what.all, o.a, c, by.a, [&](T &x, T *row) {
      kernel.absorb_and_step(c, scale, gradient, x, row);
    });
  }

  /// Loops of a length known beforehand, so that numbers stay in registers.
  constexpr void columns(operation const &o, operation_writes const &by, std::size_t c) const {
    work::columns const &own = o.columns();
    T numbers[most_rows]{};
    std::size_t const named = o.rows.size();
    repeat_while<most_rows>([&](std::size_t k) {
      if (k >= named) return false;
      row_access const one = o.rows[k];
      if (one.reads)
        numbers[k] = static_cast<T>(what.all.at(one.slot, one.of_second ? own.b : o.a)[c]);
      return true;
    });
    constexpr std::size_t most = Functions::columns::most_coefficients;
    given_numbers<T> const &given = what.given;
    T coefficients[most + 1]{static_cast<T>(own.has_coefficient() ? own.coefficient : 0)};
    std::size_t const several = Functions::columns::coefficients(own.function);
    repeat_while<most>([&](std::size_t k) {
      if (k >= several) return false;
      if (own.reads_scalars())
        coefficients[k] = static_cast<T>(given.operands[own.first + k].value(given.scalars));
      else if (!own.has_coefficient())
        coefficients[k] = given.coefficients[own.first + k];
      return true;
    });
    Functions::columns::call(own.function, coefficients, numbers);
    repeat_while<most_rows>([&](std::size_t k) {
      if (k >= named) return false;
      row_access const one = o.rows[k];
      if (one.writes)
        put(what.all, one.slot, one.of_second ? own.b : o.a, c, one.of_second ? by.b : by.a,
            numbers[k]);
      return true;
    });
  }
};

/// Forgets the sums of column c.
struct clear_sums {
  reproducible_sum sums;

  constexpr void operator()(std::size_t c) const { sums.clear(c, c + 1); }
};

/// Gradients (k,d) of a cohort.
template <class T, class Row>
struct cohort_gradients {
  rows<Row> all;
  level_part cohort;  // (k) trainings
  T const *gradients;
  op::divisor columns;
  std::uint32_t const *left_out;  // (k) gradients not to absorb; null: none
};

/// Absorbs the gradients of a cohort; index counts (node of the cohort, column).
template <class T, class Row, class Kernel>
struct absorb {
  cohort_gradients<T, Row> what;
  column_kernel<T, Kernel> kernel;

  constexpr void operator()(std::size_t index) const {
    auto const [j, c] = what.columns.split(index);
    if (what.left_out && what.left_out[j]) return;
    T const gradient = what.gradients[index];
    operation const &o = what.cohort.operations[j];
    operation_writes const by = writes_of(what.cohort.writes, j);
    work::train const &own = o.train();
    bool const to_row = own.goes_to_row();
    if (to_row && c < kernel.trainable)
      return put(what.all, own.gradient_slot, o.a, c, by.a, gradient);
    on_column<Kernel::rows, T>(what.all, o.a, c, by.a, [&](T &x, T *row) {
      if (own.steps() || to_row)
        kernel.absorb_and_step(c, kernel.scales(what.cohort.scales)[j], gradient, x, row);
      else
        kernel.absorb(c, gradient, x, row);
    });
  }
};

/// Gives all nodes the same parameters (d).
template <class T, class Row>
struct spread_row {
  rows<Row> all;
  T const *from;
  std::size_t columns;

  constexpr void operator()(std::size_t index) const {
    auto const [i, c] = op::split_index(index, columns);
    all.row(0, i)[c] = as_element<Row>(from[c]);
  }
};

/// Copies rows of a cohort's nodes of some slots (k), null: models, side by side (k,d).
template <class T, class Row>
struct gather_rows {
  rows<Row> all;
  node const *nodes;
  std::uint8_t const *slots;
  T *to;
  op::divisor columns;

  constexpr void operator()(std::size_t index) const {
    auto const [j, c] = columns.split(index);
    to[index] = static_cast<T>(all.at(slots ? slots[j] : 0, nodes[j])[c]);
  }
};

/// Adds the gradients (k,d) of a cohort to the sums of column c; flags what is out of range.
template <class T>
struct add_gradients {
  T const *gradients;
  std::size_t k, columns;
  reproducible_sum sums;
  std::uint32_t *failed;          // (k)
  std::uint32_t const *left_out;  // (k) gradients not to add; null: none

  constexpr void operator()(std::size_t c) const {
    for (std::size_t j = 0; j < k; ++j)
      if (!(left_out && left_out[j]) &&
          !sums.add_value(static_cast<double>(gradients[j * columns + c]), c))
        failed[j] = 1;
  }
};

}  // namespace gossip::device_op
