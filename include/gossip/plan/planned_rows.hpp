// The slots behind the names of rows, and what trainings and steps read and write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The batch of a training: the node's next, or that of its last training, with the same samples
/// and the same random bits of its layers.
enum class batch_choice : std::uint8_t { next, again };

/// The row at which a gradient is taken, and its destination: the optimizer, or a row as it is.
/// Statistics of a gradient that goes to a row move the model at once.
struct training_rows {
  row_name at = model_row;
  std::optional<row_name> into = std::nullopt;
  batch_choice batch = batch_choice::next;
  bool counts = true;  ///< false: it is no node iteration, and its loss is not recorded
  std::optional<node> share = std::nullopt;  ///< of the data, of those that the exchange declares;
                                             ///< `again` is then the last batch of that share
};

/// The direction of a step: the gradient that the optimizer absorbed last, or a row that it absorbs
/// as if it were one.
struct step_rows {
  std::optional<row_name> gradient = std::nullopt;
  bool counts = true;  ///< as one of the run's node iterations; false for a server's beside those
                       ///< of nodes
  std::optional<row_name> displacement = std::nullopt;  ///< becomes model before - model behind
};

/// Slot 0 is the model, then come the optimizer's rows, then those of the exchange.
class planned_rows {
 public:
  /// The rows that an operation names, and the slot of the gradient; 0: it has none in a row.
  struct named {
    row_list rows;
    std::uint8_t gradient = 0;
  };

  /// declared: whether the exchange has said that it works on rows besides the model.
  planned_rows(std::size_t optimizer_rows, std::size_t exchange_rows, bool declared)
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

  std::uint8_t slot(row_name row) const { return row == model_row ? std::uint8_t{0} : kept(row); }

  /// Of a training at the model; writes_model: whether a step may be part of it.
  named const &train(bool writes_model) const { return plain_train_[writes_model]; }
  /// A training at another row, or whose gradient goes to one.
  named train(training_rows const &rows, bool writes_model) const {
    std::uint8_t const at = slot(rows.at), into = rows.into ? slot(*rows.into) : std::uint8_t{0};
    if (rows.into && into == 0)
      throw error(
          "exchange: a gradient cannot go to the model's row; expected a row of the "
          "optimizer or of the exchange");
    return {listed(at, into, writes_model || rows.into), into};
  }

  named const &step() const { return plain_step_; }
  named step(row_name gradient) const {
    std::uint8_t const from = slot(gradient);
    if (from <= optimizer_)
      throw error(
          "exchange: a step cannot take the model or a row of the optimizer for a gradient");
    row_list list{{0, false, true, true}};
    add_optimizer(list);
    list.add({from});
    return {list, from};
  }

  /// A row and the terms of its sum.
  row_list sum(row_name to, std::initializer_list<row_term> terms) const {
    if (terms.size() == 0 || terms.size() >= most_rows)
      throw error("exchange: a row cannot be the sum of " + std::to_string(terms.size()) +
                  " terms; expected 1 to 7");
    row_list list{{slot(to), false, false, true}};
    for (row_term const &term : terms) list.add({slot(term.row)});
    return list;
  }

  static row_list optimizer_cleared(std::size_t number) {
    return {{static_cast<std::uint8_t>(1 + number), false, false, true}};
  }

  /// Rows of one node as a function names them.
  template <class F>
  row_list named_by(std::array<row_name, F::rows> const &rows) const {
    std::array<row_access, F::rows> accesses{};
    for (std::size_t k = 0; k < F::rows; ++k) accesses[k].slot = slot(rows[k]);
    return accesses_of<F>(accesses);
  }

 private:
  /// The slot of a row that the optimizer or the exchange keeps.
  std::uint8_t kept(row_name row) const {
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

  void add_optimizer(row_list &list) const {
    for (std::size_t k = 1; k <= optimizer_; ++k)
      list.add({static_cast<std::uint8_t>(k), false, true, true});
  }

  row_list listed(std::uint8_t at, std::uint8_t into, bool writes_model) const {
    row_list list{{at, false, true, at == 0 && writes_model}};
    if (at != 0) list.add({0, false, true, writes_model});
    if (into != 0) list.add({into, false, false, true});
    add_optimizer(list);  // of a gradient that goes to a row, its statistics
    return list;
  }

  std::size_t optimizer_, own_;
  bool declared_;
  named plain_train_[2];  // without and with a step
  named plain_step_;
};

}  // namespace gossip
