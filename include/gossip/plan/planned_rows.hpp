// The slots behind the names of rows, and what trainings and steps read and write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

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
  planned_rows(std::size_t optimizer_rows, std::size_t exchange_rows, bool declared);

  std::uint8_t slot(row_name row) const { return row == model_row ? std::uint8_t{0} : kept(row); }

  /// Of a training at the model; writes_model: whether a step may be part of it.
  named const &train(bool writes_model) const { return plain_train_[writes_model]; }
  /// A training at another row, or whose gradient goes to one.
  named train(training_rows const &rows, bool writes_model) const;

  named const &step() const { return plain_step_; }
  named step(row_name gradient) const;

  /// A row and the terms of its sum.
  row_list sum(row_name to, std::initializer_list<row_term> terms) const;

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
  std::uint8_t kept(row_name row) const;

  void add_optimizer(row_list &list) const {
    for (std::size_t k = 1; k <= optimizer_; ++k)
      list.add({static_cast<std::uint8_t>(k), false, true, true});
  }

  row_list listed(std::uint8_t at, std::uint8_t into, bool writes_model) const;

  std::size_t optimizer_, own_;
  bool declared_;
  named plain_train_[2];  // without and with a step
  named plain_step_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/planned_rows.ipp>
#endif
