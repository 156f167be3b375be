// The verbs by which an exchange computes numbers from rows, and gives them to functions of columns
// and of whole rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/codec/codec.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/plan/brought_rows.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

/// A part of plan_verbs, which is Plan.
template <class Plan>
class scalar_verbs {
 public:
  /// The sum of a row function over the columns of the parameters of node i's rows.
  template <row_function F>
  scalar reduce(F, node i, std::array<row_name, F::rows> const &rows) {
    begin(i);
    return plan().writer_.reduce_rows(i, i, plan().template number_of<F>(), accesses(rows));
  }

  /// The same of rows of node i and, as the last, one of node j, which i waits for.
  template <row_function F>
  scalar reduce(F, node i, std::array<row_name, F::rows - 1> const &rows, node j, row_name row) {
    begin(i);
    row_list list = accesses(rows);
    list.add({brought(i, j, row), true});
    return plan().writer_.reduce_rows(i, j, plan().template number_of<F>(), list);
  }

  /// The same of a row of node j and one of node l, which i waits for unless they are its own.
  template <row_function F>
    requires(F::rows == 2)
  scalar reduce(F, node i, node j, row_name row_of_j, node l, row_name row_of_l) {
    begin(i);
    if (j == l)
      detail::refuse_node(i, "reduces two rows of node " + std::to_string(j) +
                                 "; expected rows of two different nodes");
    row_list list;
    row_access first, second;
    first.slot = i == j ? plan().rows_.slot(row_of_j) : brought(i, j, row_of_j);
    second.slot = i == l ? plan().rows_.slot(row_of_l) : brought(i, l, row_of_l);
    second.of_second = true;
    list.add(first);
    list.add(second);
    return plan().writer_.reduce_rows_of_others(i, j, l, plan().template number_of<F>(), list);
  }

  /// The same whose last row is that of a message or an edge that node i has.
  template <row_function F>
  scalar reduce(F, node i, std::array<row_name, F::rows - 1> const &rows,
                message_header const &held) {
    begin(i);
    node const payload = plan().required(i, held).payload;
    if (!held.columns.is_every()) refuse_fragment(i, "reduces", held.columns);
    row_list list = accesses(rows);
    list.add({0, true, true, false, true});
    return plan().writer_.reduce_rows(i, payload, plan().template number_of<F>(), list);
  }

  /// A scalar function of any number of scalars of node i, and of numbers of the plan.
  template <list_function F>
  scalar compute(F, node i, std::vector<scalar> const &scalars,
                 std::array<double, F::numbers> const &numbers = {}) {
    begin(i);
    if (scalars.empty())
      detail::refuse_node(i, "computes a scalar from no scalar; expected at least one");
    std::vector<coefficient> operands(numbers.begin(), numbers.end());
    operands.insert(operands.end(), scalars.begin(), scalars.end());
    return plan().writer_.compute(i, plan().template number_of<F>(), operands);
  }

  /// A scalar function of scalars of node i and numbers of the plan.
  template <scalar_function F>
    requires(!list_function<F>)
  scalar compute(F, node i, std::array<scalar, F::scalars> const &scalars,
                 std::array<double, F::numbers> const &numbers = {}) {
    begin(i);
    std::array<coefficient, F::scalars + F::numbers> const operands = joined<F>(scalars, numbers);
    return plan().writer_.compute(i, plan().template number_of<F>(), operands);
  }

  /// A column function or a whole-row function on rows of node i, in the function's order, with
  /// coefficients that are numbers or scalars of node i.
  template <class F>
    requires column_function<F> || whole_row_function<F>
  void apply(F, node i, std::array<row_name, F::rows> const &rows,
             std::array<coefficient, F::coefficients> const &coefficients = {}) {
    row_list const list = plan().rows_.template named_by<F>(rows);
    begin(i, list.written(false));
    write<F>(i, i, list, coefficients);
  }

  /// The same whose last row is one of node j, which i waits for and which does not change.
  template <class F>
    requires column_function<F> || whole_row_function<F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, node j, row_name row,
             std::array<coefficient, F::coefficients> const &coefficients = {}) {
    row_list const list = with_second<F>(rows, {plan().rows_.slot(row), true});
    begin(i, list.written(false));
    brought(i, j, row);
    write<F>(i, j, list, coefficients);
  }

  /// The same whose last row is that of a message or an edge that node i has.
  template <class F>
    requires column_function<F> || whole_row_function<F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, message_header const &held,
             std::array<coefficient, F::coefficients> const &coefficients = {}) {
    node const payload = plan().required(i, held).payload;
    if (whole_row_function<F> && !held.columns.is_every())
      refuse_fragment(i, "gives a function of whole rows", held.columns);
    row_list const list = with_second<F>(rows, {0, true, true, false, true});
    begin(i, list.written(false));
    write<F>(i, payload, list, coefficients, held.columns);
  }

  /// A column function on the columns of a fragment alone.
  template <column_function F>
  void apply(F, node i, std::array<row_name, F::rows> const &rows,
             std::array<coefficient, F::coefficients> const &coefficients, fragment const &only) {
    detail::require_fragment(i, only, plan().columns());
    row_list const list = plan().rows_.template named_by<F>(rows);
    begin(i, list.written(false));
    write<F>(i, i, list, coefficients, only);
  }
  template <column_function F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, node j, row_name row,
             std::array<coefficient, F::coefficients> const &coefficients, fragment const &only) {
    detail::require_fragment(i, only, plan().columns());
    row_list const list = with_second<F>(rows, {plan().rows_.slot(row), true});
    begin(i, list.written(false));
    require_other(i, j);
    if (brought_.brings(i, j, plan().rows_.slot(row), only))
      plan().receive(i, j, plan().bytes_of(only));
    write<F>(i, j, list, coefficients, only);
  }
  template <column_function F>
  void apply(F, node i, std::array<row_name, F::rows - 1> const &rows, message_header const &held,
             std::array<coefficient, F::coefficients> const &coefficients, fragment const &only) {
    message_term const read[] = {{1, held}};
    plan().require_within(i, read, only);
    node const payload = plan().required(i, held).payload;
    row_list const list = with_second<F>(rows, {0, true, true, false, true});
    begin(i, list.written(false));
    write<F>(i, payload, list, coefficients, only);
  }

  /// A row of node i becomes what receivers of its code decode. Returns its name with the bytes
  /// that it takes in a message until it is written again. A codec that draws takes a random number
  /// of node i.
  template <codec_choice Choice>
  encoded_row encode(node i, row_name row, Choice const &choice) {
    return choice.with([&](auto const &codec) { return encode(i, row, codec); });
  }
  template <single_codec Codec>
  encoded_row encode(node i, row_name row, Codec const &codec) {
    using function = typename Codec::function;
    std::size_t const columns = plan().settings_.columns;
    codec.check();
    auto const given = coefficients_of(codec, columns, [&] { return plan().random(i); });
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      apply(function{}, i, {row}, {coefficient(given[K])...});
    }(std::make_index_sequence<function::coefficients>{});
    std::size_t const numbers = plan().bytes_of(false), statistics = plan().bytes_of(row) - numbers;
    return {i, row, codec.bytes(columns, numbers / columns) + statistics};
  }

 protected:
  /// Rows that nodes have received for the operations so far do not stay with them.
  void forget_received() { brought_.forget(); }

 private:
  Plan &plan() { return static_cast<Plan &>(*this); }
  Plan const &plan() const { return static_cast<Plan const &>(*this); }

  void begin(node i, std::uint32_t written = 0) {
    Plan::require_own_rows();
    plan().require_owner("apply, reduce or compute", i);
    brought_.begin(plan().writer_.place(), written);
  }

  /// The slot of a row of node j that node i receives, unless it has it.
  std::uint8_t brought(node i, node j, row_name row) {
    require_other(i, j);
    std::uint8_t const slot = plan().rows_.slot(row);
    if (brought_.brings(i, j, slot)) plan().receive(i, j, plan().bytes_of(row));
    return slot;
  }
  void require_other(node i, node j) {
    plan().require_owner("apply or reduce", j);
    if (i == j) detail::refuse_node(i, "cannot exchange with itself");
  }
  [[noreturn]] static void refuse_fragment(node i, char const *does, fragment const &columns) {
    detail::refuse_node(i, std::string(does) + " a message of " + detail::described(columns) +
                               "; expected a message of whole rows");
  }

  template <class F>
  row_list with_second(std::array<row_name, F::rows - 1> const &rows, row_access const &second) {
    static_assert((F::writes >> (F::rows - 1)) == 0,
                  "gossip::plan: apply changes rows of one node; the last row of the function, "
                  "which is another node's, must not be written. See docs/policies/exchange.md");
    std::array<row_access, F::rows> named{};
    for (std::size_t k = 0; k + 1 < F::rows; ++k) named[k].slot = plan().rows_.slot(rows[k]);
    named[F::rows - 1] = second;
    return accesses_of<F>(named);
  }

  template <std::size_t Count>
  row_list accesses(std::array<row_name, Count> const &rows) {
    row_list list;
    for (row_name const &row : rows) {
      row_access one;  // nvcc takes a list of one member for the member
      one.slot = plan().rows_.slot(row);
      list.add(one);
    }
    return list;
  }

  template <class F>
  static auto joined(std::array<scalar, F::scalars> const &scalars,
                     std::array<double, F::numbers> const &numbers) {
    return [&]<std::size_t... S, std::size_t... N>(std::index_sequence<S...>,
                                                   std::index_sequence<N...>) {
      return std::array<coefficient, F::scalars + F::numbers>{coefficient(scalars[S])...,
                                                              coefficient(numbers[N])...};
    }(std::make_index_sequence<F::scalars>{}, std::make_index_sequence<F::numbers>{});
  }

  template <class F>
  void write(node i, node j, row_list const &list,
             std::array<coefficient, F::coefficients> const &given,
             fragment const &only = fragment::every()) {
    if ((list.written(false) & 1) != 0) plan().times_->write(i);
    if constexpr (whole_row_function<F>) {
      for (std::size_t k = 0; k < list.size(); ++k)
        for (std::size_t l = 0; l < list.size(); ++l)
          if (k != l && list[k].writes && list[k].slot == list[l].slot && !list[l].of_second)
            detail::refuse_node(i, "gives a row that a whole-row function writes to it twice");
      plan().writer_.whole_rows(i, j, plan().template number_of<F>(), list, given);
    } else {
      plan().writer_.columns(i, j, plan().template number_of<F>(), list, given, only);
    }
  }

  brought_rows brought_;
};

}  // namespace gossip
