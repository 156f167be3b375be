// Whole-row functions on a device: an operation a team of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include <gossip/engine/device/program.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/op/whole_row.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

namespace device_op {

/// Operation k by a team; numbers (count, most_rows, columns) beside rows in 16 bits.
template <class T, class Row, class Functions>
struct change_rows {
  rows<Row> all;
  operation const *operations;  // (count)
  given_numbers<T> given;
  T *numbers;
  row_tensors tensors;

  template <class Team>
  constexpr void operator()(Team const &team, std::size_t k) const {
    operation const &o = operations[k];
    if (o.kind() != operation_kind::whole_rows) return;
    work::whole_rows const &own = o.whole_rows();
    double c[most_coefficients]{};
    for (std::size_t j = 0; j < Functions::whole_rows::coefficients(own.function); ++j)
      c[j] = given.operands[own.operands + j].value(given.scalars);
    T *x[most_rows]{};
    for (std::size_t r = 0; r < o.rows.size(); ++r) x[r] = row(o, k, r);
    Functions::whole_rows::call(own.function, team, tensors, c, x);
  }

  constexpr T *row(operation const &o, std::size_t k, std::size_t r) const {
    row_access const one = o.rows[r];
    if constexpr (std::is_same_v<T, Row>)
      return all.at(one.slot, one.of_second ? o.whole_rows().b : o.a);
    else
      return numbers + (k * most_rows + r) * tensors.columns();
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

}  // namespace device_op

/// f(team, k) for every k below count, on the device: by teams where it has them.
template <class Backend, class F>
void launch_teams(Backend const &backend, std::size_t count, F f) {
  if constexpr (requires { backend.launch_teams(count, f); })
    backend.launch_teams(count, f);
  else
    backend.launch(count, op::by_one_thread<F>{f});
}

/// Functions: the lists that codes count in. Nothing here waits, but to replace memory.
template <class T, class Row, class Backend, class Functions>
class device_whole_rows {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  static constexpr bool rounds = !std::is_same_v<T, Row>;

 public:
  /// tensors: of the trainable part of a row.
  device_whole_rows(Backend const &backend, std::span<row_tensor const> tensors)
      : tensors_(tensors.size()), columns_(row_tensors(tensors).columns()) {
    backend.upload(tensors_.data(), tensors.data(), tensors.size());
  }

  /// Bytes of numbers beside rows in 16 bits, where so many operations come together.
  static constexpr std::size_t bytes(std::size_t columns, std::size_t count) {
    return rounds ? at_once(columns, count) * most_rows * columns * sizeof(T) : 0;
  }

  /// Operations in device memory (count) that do not depend on each other, those on whole rows
  /// among them, and their writes.
  void run(Backend const &backend, device_op::rows<Row> const &rows, operation const *operations,
           device_op::operation_writes const *writes, std::size_t count,
           device_op::given_numbers<T> const &given) {
    std::size_t const each = most_rows * columns_;
    row_tensors const tensors(std::span<row_tensor const>(tensors_.data(), tensors_.size()));
    std::size_t const most = rounds ? at_once(columns_, count) : count;
    if (rounds && numbers_.size() < most * each) {
      backend.wait();  // kernels at work may use the old ones
      numbers_ = buffer<T>(most * each);
    }
    for (std::size_t first = 0; first < count; first += most) {
      std::size_t const part = std::min(most, count - first);
      operation const *const own = operations + first;
      auto const copy = [&](auto back) {
        if constexpr (rounds)
          backend.launch(part * each, device_op::copy_rows<T, Row, back()>{
                                          rows, own, writes + first, numbers_.data(), columns_});
      };
      copy(std::false_type{});
      launch_teams(
          backend, part,
          device_op::change_rows<T, Row, Functions>{rows, own, given, numbers_.data(), tensors});
      copy(std::true_type{});
    }
  }

 private:
  static constexpr std::size_t budget = std::size_t{1} << 22;  // numbers at a time

  /// Operations of so many whose numbers are there at a time.
  static constexpr std::size_t at_once(std::size_t columns, std::size_t count) {
    return std::min(std::max<std::size_t>(budget / (most_rows * columns), 1), count);
  }

  buffer<row_tensor> tensors_;
  std::size_t columns_;
  buffer<T> numbers_;
};

}  // namespace gossip
