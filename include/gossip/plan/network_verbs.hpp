// What a plan offers an exchange for all nodes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A part of plan_verbs; Functions: those that the exchange may name.
template <class Verbs, class Functions>
class network_verbs {
 public:
  void train_all(training_rows at = {}) {
    for (node i = 0; i < self().nodes(); ++i) self().train(i, at);
  }
  void step_all(step_rows by = {}) {
    for (node i = 0; i < self().nodes(); ++i) self().step(i, by);
  }

  void assign_all(row_name to, std::initializer_list<row_term> terms) {
    for (node i = 0; i < self().nodes(); ++i) self().assign(i, to, terms);
  }

  /// X <- W X of the models. A node waits for the rows of those it depends on, or with a global
  /// barrier for all.
  void mix_all(mixing_matrix const &w, bool global_barrier = false) {
    mix_all(model_row, w, global_barrier);
  }

  /// The same of another row.
  void mix_all(row_name row, mixing_matrix const &w, bool global_barrier = false) {
    mix_all_by<op::weighted_sum>(row, w, global_barrier);
  }

  /// Another function in the place of the weighted sum, such as op::coordinate_median: all nodes
  /// are changed at once.
  template <neighborhood_function F>
  void mix_all_by(row_name row, mixing_matrix const &w, bool global_barrier = false) {
    self().require_own_rows();
    std::uint8_t const slot = self().rows_.slot(row);
    if (w.rows() != self().nodes())
      throw error("exchange: mix_all: expected a matrix of " + std::to_string(self().nodes()) +
                  " rows, got " + std::to_string(w.rows()));
    std::size_t const bytes = self().bytes_of(row);
    self().bytes_ += self().times_.mix(w, bytes, global_barrier) * bytes;
    self().writer_.on_all(operation_kind::mix, 0.0, self().writer_.window().number_of(w),
                          Functions::neighborhoods::template number_of<F>,
                          {{slot, false, true, true}});
  }

  void mix_all(mixing_matrix const &&, bool = false) = delete;  // must outlive the run, unchanged
  void mix_all(row_name, mixing_matrix const &&, bool = false) = delete;

  /// The one model that all share steps by the mean of this round's gradients. Bytes of a ring:
  /// each node sends 2 (n - 1) / n of a model.
  void reduce_all() {
    static_assert(Verbs::shared,
                  "gossip::plan: reduce_all needs an exchange whose properties() have "
                  "replicas_identical = true. See docs/policies/exchange.md");
    if (self().started_ != (self().rounds_reduced_ + 1) * self().nodes())
      throw error("exchange: reduce_all: expected one training of every node since the last");
    ++self().rounds_reduced_;
    self().steps_ += self().nodes();
    std::size_t const share =
        2 * (self().nodes() - 1) * self().settings_.message_bytes / self().nodes();
    self().times_.reduce(share);
    self().bytes_ += self().nodes() * share;
    self().writer_.on_all(operation_kind::reduce, self().rate(0), self().rounds_reduced_);
  }

 private:
  Verbs &self() { return static_cast<Verbs &>(*this); }
};

}  // namespace gossip
