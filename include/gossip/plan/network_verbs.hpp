// The verbs of a plan for all nodes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/mixing/arrived_weights.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/owner_times.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A mixture of some of a row's columns, by a matrix that is made for it.
struct fragment_mixture {
  mixing_matrix weights;
  fragment columns;
};

/// A part of plan_verbs.
template <class Verbs>
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
    mix_all_by(op::weighted_sum{}, row, w, global_barrier);
  }
  /// The same; returns W, or where messages are lost or nodes absent what is left of it, which the
  /// next mixture replaces.
  mixing_matrix const &mix_and_return_weights(row_name row, mixing_matrix const &w,
                                              bool global_barrier = false) {
    return mixed<op::weighted_sum>(row, w, global_barrier);
  }

  /// Another function in the place of the weighted sum, such as op::coordinate_median: all nodes
  /// are changed at once.
  template <neighborhood_function F>
  void mix_all_by(F, row_name row, mixing_matrix const &w, bool global_barrier = false) {
    mixed<F>(row, w, global_barrier);
  }

  /// Fragments of a row, each mixed by a matrix of its own: their messages leave together, and a
  /// node waits for those of all.
  void mix_fragments(row_name row, std::vector<fragment_mixture> const &parts,
                     bool global_barrier = false) {
    std::vector<fragment_mixture> few;
    if (!self().participants_.are_all())
      for (auto const &[w, columns] : parts) few.push_back({among_present(w), columns});
    std::vector<fragment_mixture> const &among = few.empty() ? parts : few;
    std::vector<sent_mixture> messages;
    for (auto const &[w, columns] : among) messages.push_back(message_of(row, w, columns));
    wait_for_mixtures(messages, global_barrier);
    for (auto const &[w, columns] : among)
      write_mixture<op::weighted_sum>(row, arrived(w), false, columns);
  }

  /// f(), which plans operations that take no virtual time and send no bytes: for what a simulation
  /// knows and no node could, such as attackers who see all models.
  template <class F>
  void at_no_cost(F f) {
    auto const bytes = self().bytes_;
    self().times_->at_no_cost(f);
    self().bytes_ = bytes;
    self().forget_received();
  }

  /// f(), whose messages travel while nodes go on: bytes count, and nobody waits. Returns when each
  /// node would have been done (n), which wait_until waits for. In rounds; what f writes is written
  /// at once, so nobody reads those rows before.
  template <class F>
  std::vector<completion> in_background(F f) {
    static_assert(Verbs::in_rounds,
                  "gossip::plan: in_background belongs to rounds; messages of "
                  "event exchanges travel while nodes go on. See "
                  "docs/policies/exchange.md");
    return self().times_->in_background(f);
  }
  /// Node i does nothing before this time, or before that is over.
  void wait_until(node i, virtual_time t) {
    self().require_owner("wait_until", i);
    self().times_->wait_until(i, t);
  }
  void wait_until(node i, completion const &end) {
    self().require_owner("wait_until", i);
    self().times_->wait_until(i, end);
  }

  /// The one model that all share steps by the mean of this round's gradients. Time and bytes of
  /// the clock's collective: on a ring each node sends 2 (n - 1) / n of a model.
  void reduce_all() {
    static_assert(Verbs::shared,
                  "gossip::plan: reduce_all needs an exchange whose properties() have "
                  "replicas_identical = true. See docs/policies/exchange.md");
    if (self().started_ != (self().rounds_reduced_ + 1) * self().nodes())
      throw error("exchange: reduce_all: expected one training of every node since the last");
    ++self().rounds_reduced_;
    self().steps_ += self().nodes();
    self().bytes_ += self().times_->reduce(self().settings_.message_bytes);
    self().writer_.reduce(self().rate(0), self().rounds_reduced_);
  }

  /// The models of all nodes become their mean, or another row; one sum over the network, whose
  /// order does not matter. Time and bytes of the clock's collective: on a ring each node sends
  /// 2 (n - 1) / n of a row. Given a fragment, only its columns.
  void average_all(row_name row = model_row, fragment const &only = fragment::every()) {
    self().require_own_rows();
    std::size_t const n = self().nodes(), bytes = bytes_of(row, only);
    require_terms(0, n);
    self().bytes_ += self().times_->reduce(bytes);
    self().writer_.sum_over_nodes(summed(row, row), 1.0 / static_cast<double>(n), only);
  }

  /// The same of rows that nodes have encoded, one of each in ascending order: codes go round a
  /// ring of n - 1 turns, since sums of them would need the bytes of whole rows.
  void average_all(std::vector<encoded_row> const &rows) {
    self().require_own_rows();
    std::size_t const n = self().nodes();
    std::size_t all = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].owner != i || rows[i].row != rows[0].row)
        self().refuse(rows[i].owner, "is not the next whose encoded rows are averaged");
      all += rows[i].bytes;
    }
    if (rows.size() != n)
      throw error("exchange: average_all: expected an encoded row of each of " + std::to_string(n) +
                  " nodes, got " + std::to_string(rows.size()));
    require_terms(0, n);
    // A node sends on all but the next one's.
    self().times_->ring(n - 1, [&](node i) { return all - rows[(i + 1) % n].bytes; });
    self().bytes_ += (n - 1) * all;
    row_name const row = rows[0].row;
    self().writer_.sum_over_nodes(summed(row, row), 1.0 / static_cast<double>(n),
                                  fragment::every());
  }

  /// Those of the terms whose rows reach owner i for sum_to; it waits as long for those that are
  /// lost.
  std::vector<node_term> arriving(node i, std::vector<node_term> terms, row_name from) {
    self().require_owner("arriving", i);
    std::erase_if(terms, [&](node_term const &term) {
      self().require_owner("arriving", term.owner);
      if (!self().participants_.present(term.owner)) return true;
      if (term.owner == i) return false;
      if (waits_in_vain(i, term.owner)) return true;
      if (!self().times_->losses().lost(term.owner, i)) return false;
      receive_at(i, term.owner, self().bytes_of(from));
      return true;
    });
    return terms;
  }

  /// A row of owner i, a node or a server, becomes the sum of weight * a row of others, each of
  /// which sends it; i waits for all, and may be among them. In no order.
  void sum_to(node i, row_name to, std::vector<node_term> const &terms, row_name from) {
    self().require_own_rows();
    std::size_t const bytes = self().bytes_of(from);
    self().require_owner("sum_to", i);
    require_terms(i, terms.size());
    for (node_term const &term : terms) {
      detail::require_finite("sum_to", i, term.weight);
      self().require_owner("sum_to", term.owner);
      if (term.owner != i) receive_at(i, term.owner, bytes);
    }
    if (to == model_row) self().times_->write(i);
    self().writer_.sum_to(i, summed(to, from), terms);
  }

 private:
  /// The bytes of a row, or of its fragment, which is one.
  std::size_t bytes_of(row_name row, fragment const &only) const {
    if (only.is_every()) return self().bytes_of(row);
    detail::require_fragment(0, only, self().columns());
    return self().bytes_of(only);
  }

  sent_mixture message_of(row_name row, mixing_matrix const &w, fragment const &only) const {
    if (w.rows() != self().nodes())
      throw error("exchange: mix_all: expected a matrix of " + std::to_string(self().nodes()) +
                  " rows, got " + std::to_string(w.rows()));
    return {&w, bytes_of(row, only)};
  }

  void wait_for_mixtures(std::span<sent_mixture const> messages, bool global_barrier) {
    self().require_own_rows();
    self().bytes_ += self().times_->mix(messages, global_barrier);
  }

  template <neighborhood_function F>
  mixing_matrix const &mixed(row_name row, mixing_matrix const &w, bool global_barrier) {
    mixing_matrix const &among = among_present(w);
    sent_mixture const messages[] = {message_of(row, among, fragment::every())};
    wait_for_mixtures(messages, global_barrier);
    auto const all = self().weights_.values();
    mixing_matrix const &left = arrived(among);
    bool const declared =
        !std::less<>{}(&left, all.data()) && std::less<>{}(&left, all.data() + all.size());
    write_mixture<F>(row, left, declared, fragment::every());
    return left;
  }

  /// The weights of those that take part in the round.
  mixing_matrix const &among_present(mixing_matrix const &w) {
    participants const &in_round = self().participants_;
    if (in_round.are_all()) return w;
    return present_.emplace(arrived_weights(
        w, self().properties_.keeps, [&](node j, node i) { return in_round.present(j, i); }));
  }

  /// The weights that are left where messages are not sent or are lost.
  mixing_matrix const &arrived(mixing_matrix const &w) {
    link_losses &losses = self().times_->losses();
    auto const &times = *self().times_;
    if (!losses.gone() && !times.misses_any()) return w;
    return arrived_.emplace(arrived_weights(w, self().properties_.keeps, [&](node j, node i) {
      return !times.misses(j, i) && !losses.lost(j, i);
    }));
  }

  /// Owner i gets nothing of another, for which it waits as long as others do.
  bool waits_in_vain(node i, node from) {
    if (!self().times_->leaves_out(from, i, self().now_, false, true)) return false;
    self().times_->wait_for_owed();
    return true;
  }

  /// Owner i waits for so many bytes of another.
  void receive_at(node i, node from, std::size_t bytes) {
    self().times_->wait_until(i, self().times_->send(from, i, bytes, self().now_, false));
    self().bytes_ += bytes;
  }

  template <neighborhood_function F>
  void write_mixture(row_name row, mixing_matrix const &w, bool declared, fragment const &only) {
    self().writer_.mix(self().template number_of<F>(),
                       {{self().rows_.slot(row), false, true, true}},
                       self().writer_.window().number_of(w, declared), only);
  }

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

  std::optional<mixing_matrix> present_, arrived_;
};

}  // namespace gossip
