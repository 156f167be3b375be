// The verbs of a plan for all nodes at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/fragment.hpp>
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
  void assign_all(row_name to, std::initializer_list<row_term> terms, fragment const &only) {
    for (node i = 0; i < self().nodes(); ++i) self().assign(i, to, terms, only);
  }

  /// X <- W X of the models. W: one that the exchange declared, or one of this round, which the
  /// plan keeps as long as it is needed. A node waits for the rows of those it depends on, or with
  /// a global barrier for all.
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
    auto const all = self().weights_.values();
    bool const declared =
        !std::less<>{}(&w, all.data()) && std::less<>{}(&w, all.data() + all.size());
    self().writer_.on_all(operation_kind::mix, 0.0, self().writer_.window().number_of(w, declared),
                          Functions::neighborhoods::template number_of<F>,
                          {{slot, false, true, true}});
  }

  /// f(), which plans operations that take no virtual time and send no bytes: for what a simulation
  /// knows and no node could, such as attackers who see all models.
  template <class F>
  void at_no_cost(F f) {
    auto const bytes = self().bytes_;
    auto const times = self().times_;
    f();
    self().bytes_ = bytes;
    self().times_ = times;
  }

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

  /// The models of all nodes become their mean, or another row; one sum over the network, whose
  /// order does not matter. Time and bytes of a ring: each node sends 2 (n - 1) / n of a row.
  void average_all(row_name row = model_row) {
    self().require_own_rows();
    std::size_t const n = self().nodes(), share = 2 * (n - 1) * self().bytes_of(row) / n;
    require_terms(0, n);
    self().times_.reduce(share);
    self().bytes_ += n * share;
    self().writer_.sum_over_nodes(summed(row, row), 1.0 / static_cast<double>(n));
  }

  /// The same of rows that nodes have encoded, one of each in ascending order: codes go round a
  /// ring of n - 1 turns, since sums of them would need the bytes of whole rows.
  void average_all(std::vector<encoded_row> const &rows) {
    self().require_own_rows();
    std::size_t const n = self().nodes();
    std::size_t all = 0, least = rows.empty() ? 0 : rows[0].bytes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].owner != i || rows[i].row != rows[0].row)
        self().refuse(rows[i].owner, "is not the next whose encoded rows are averaged");
      all += rows[i].bytes;
      least = std::min(least, rows[i].bytes);
    }
    if (rows.size() != n)
      throw error("exchange: average_all: expected an encoded row of each of " + std::to_string(n) +
                  " nodes, got " + std::to_string(rows.size()));
    require_terms(0, n);
    self().times_.ring(n - 1, all - least);  // of the node that sends on the most
    self().bytes_ += (n - 1) * all;
    row_name const row = rows[0].row;
    self().writer_.sum_over_nodes(summed(row, row), 1.0 / static_cast<double>(n));
  }

  /// A row of owner i, a node or a server, becomes the sum of weight * a row of others, each of
  /// which sends it; i waits for all, and may be among them. In no order.
  void sum_to(node i, row_name to, std::vector<node_term> const &terms, row_name from) {
    self().require_own_rows();
    std::size_t const owners = self().nodes() + self().servers(), bytes = self().bytes_of(from);
    if (i >= owners) self().refuse(i, "is not in the network");
    require_terms(i, terms.size());
    for (node_term const &term : terms) {
      if (!std::isfinite(term.weight))
        self().refuse(i, "has a sum with a weight that is no number");
      if (term.owner >= owners) self().refuse(term.owner, "is not in the network");
      if (term.owner == i) continue;
      virtual_time const leaves = std::max(self().now_, self().times_.free_at(term.owner));
      self().times_.wait_until(i, self().times_.arrival(leaves, bytes));
      self().bytes_ += bytes;
    }
    if (to == model_row) self().times_.write(i);
    self().writer_.sum_to(i, summed(to, from), terms);
  }

 private:
  void require_terms(node i, std::size_t count) const {
    if (count == 0 || count > node_term::most)
      self().refuse(i,
                    "cannot have a sum of " + std::to_string(count) + " rows; expected 1 to 2^22");
  }

  row_list summed(row_name to, row_name from) {
    return {{self().rows_.slot(to), false, false, true}, {self().rows_.slot(from), true}};
  }

  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }
};

}  // namespace gossip
