// Whole-row functions as functions of one number and a team of threads, for devices.
#pragma once

#include <cstddef>
#include <type_traits>

#include <gossip/engine/device/program.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/op/whole_row.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip::device_op {

/// Operations on whole rows.
template <class T, class Row>
struct row_changes {
  rows<Row> all;
  operation const *operations;  // (count)
  given_numbers<T> given;
  T *numbers;  // (count, most_rows, columns) in the place of rows in 16 bits
  row_tensors tensors;
};

/// Operation k by a team. Functions: the lists that codes count in.
template <class T, class Row, class Functions>
struct change_rows {
  row_changes<T, Row> what;

  template <class Team>
  constexpr void operator()(Team const &team, std::size_t k) const {
    operation const &o = what.operations[k];
    if (o.kind() != operation_kind::whole_rows) return;
    work::whole_rows const &own = o.whole_rows();
    double c[most_coefficients]{};
    for (std::size_t j = 0; j < Functions::whole_rows::coefficients(own.function); ++j)
      c[j] = what.given.operands[own.operands + j].value(what.given.scalars);
    T *x[most_rows]{};
    for (std::size_t r = 0; r < o.rows.size(); ++r) x[r] = row(o, k, r);
    Functions::whole_rows::call(own.function, team, what.tensors, c, x);
  }

  constexpr T *row(operation const &o, std::size_t k, std::size_t r) const {
    row_access const one = o.rows[r];
    if constexpr (std::is_same_v<T, Row>)
      return what.all.at(one.slot, one.of_second ? o.whole_rows().b : o.a);
    else
      return what.numbers + (k * most_rows + r) * what.tensors.columns();
  }
};

/// A column of the rows of an operation as numbers (count, most_rows, columns), or put back.
template <class T, class Row, bool Back>
struct copy_rows {
  rows<Row> all;
  operation const *operations;     // (count)
  operation_writes const *writes;  // (count)
  T *numbers;
  std::size_t columns;

  constexpr void operator()(std::size_t index) const {
    auto const [place, c] = op::split_index(index, columns);
    auto const [k, r] = op::split_index(place, most_rows);
    operation const &o = operations[k];
    if (o.kind() != operation_kind::whole_rows || r >= o.rows.size()) return;
    row_access const one = o.rows[r];
    node const i = one.of_second ? o.whole_rows().b : o.a;
    if constexpr (Back) {
      if (one.writes) put(all, one.slot, i, c, writes_of(writes, k).a, numbers[index]);
    } else {
      numbers[index] = static_cast<T>(all.at(one.slot, i)[c]);
    }
  }
};

}  // namespace gossip::device_op
