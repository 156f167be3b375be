// Definitions of plan/planned_rows.hpp.
#pragma once

#include <gossip/plan/planned_rows.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE planned_rows::planned_rows(std::size_t optimizer_rows, std::size_t exchange_rows,
                                         bool declared)
    : optimizer_(optimizer_rows), own_(exchange_rows), declared_(declared) {
  if (1 + optimizer_ + own_ > row_list::most_slots)
    throw input_error("exchange",
                      "at most " + std::to_string(row_list::most_slots) +
                          " rows per node, including the rows of the optimizer and the model",
                      std::to_string(1 + optimizer_ + own_));
  plain_train_[0] = {listed(0, 0, false), 0};
  plain_train_[1] = {listed(0, 0, true), 0};
  plain_step_.rows.add({0, false, true, true});
  for (std::size_t k = 1; k <= optimizer_; ++k)
    plain_step_.rows.add({static_cast<std::uint8_t>(k)});
}

GOSSIP_INLINE planned_rows::named planned_rows::train(training_rows const &rows,
                                                      bool writes_model) const {
  std::uint8_t const at = slot(rows.at), into = rows.into ? slot(*rows.into) : std::uint8_t{0};
  if (rows.into && into == 0)
    throw error(
        "exchange: a gradient cannot go to the model's row; expected a row of the "
        "optimizer or of the exchange");
  return {listed(at, into, writes_model || rows.into), into};
}

GOSSIP_INLINE planned_rows::named planned_rows::step(row_name gradient) const {
  std::uint8_t const from = slot(gradient);
  if (from <= optimizer_)
    throw error("exchange: a step cannot take the model or a row of the optimizer for a gradient");
  row_list list{{0, false, true, true}};
  add_optimizer(list);
  list.add({from});
  return {list, from};
}

GOSSIP_INLINE row_list planned_rows::sum(row_name to, std::initializer_list<row_term> terms) const {
  if (terms.size() == 0 || terms.size() >= most_rows)
    throw error("exchange: a row cannot be the sum of " + std::to_string(terms.size()) +
                " terms; expected 1 to 7");
  row_list list{{slot(to), false, false, true}};
  for (row_term const &term : terms) list.add({slot(term.row)});
  return list;
}

GOSSIP_INLINE std::uint8_t planned_rows::kept(row_name row) const {
  bool const of_optimizer = row.kept_by == row_name::keeper::optimizer;
  std::size_t const there = of_optimizer ? optimizer_ : own_;
  if (!declared_)
    throw error(
        "exchange: works on a row besides the model; expected static constexpr "
        "std::size_t rows with the number of its own, which may be 0. See "
        "docs/policies/exchange.md");
  if (row.number >= there)
    throw error(
        "exchange: names row " + std::to_string(row.number) + " of the " +
        (of_optimizer
             ? "optimizer, which keeps " + std::to_string(there) +
                   "; expected an optimizer that keeps it, such as sgd with a momentum above 0"
             : "exchange, which has " + std::to_string(there)));
  return static_cast<std::uint8_t>(1 + row.number + (of_optimizer ? 0 : optimizer_));
}

GOSSIP_INLINE row_list planned_rows::listed(std::uint8_t at, std::uint8_t into,
                                            bool writes_model) const {
  row_list list{{at, false, true, at == 0 && writes_model}};
  if (at != 0) list.add({0, false, true, writes_model});
  if (into != 0) list.add({into, false, false, true});
  add_optimizer(list);  // of a gradient that goes to a row, its statistics
  return list;
}

}  // namespace gossip
