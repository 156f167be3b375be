// Mixtures and sums over all nodes in a plan.
#pragma once

#include <gossip/plan/plan.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/mixing/arrived_weights.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

GOSSIP_INLINE void plan::mix_fragments(row_name row, std::vector<fragment_mixture> const &parts,
                                       bool global_barrier) {
  std::vector<fragment_mixture> few;
  if (!participants_.are_all())
    for (auto const &[w, columns] : parts) few.push_back({among_present(w), columns});
  std::vector<fragment_mixture> const &among = few.empty() ? parts : few;
  std::vector<sent_mixture> messages;
  for (auto const &[w, columns] : among) messages.push_back(message_of(row, w, columns));
  wait_for_mixtures(messages, global_barrier);
  for (auto const &[w, columns] : among)
    write_mixture<op::weighted_sum>(row, arrived(w), false, columns);
}

GOSSIP_INLINE void plan::reduce_all() {
  require_form(facts_.replicas_identical,
               "gossip::plan: reduce_all needs an exchange whose properties() have "
               "replicas_identical = true. See docs/policies/exchange.md");
  if (started_ != (rounds_reduced_ + 1) * nodes())
    throw error("exchange: reduce_all: expected one training of every node since the last");
  ++rounds_reduced_;
  steps_ += nodes();
  bytes_ += times_->reduce(settings_.message_bytes);
  writer_.reduce(rate(0), rounds_reduced_);
}

GOSSIP_INLINE void plan::average_all(row_name row, fragment const &only) {
  require_own_rows();
  std::size_t const n = nodes(), bytes = bytes_of(row, only);
  require_terms(0, n);
  bytes_ += times_->reduce(bytes);
  writer_.sum_over_nodes(summed(row, row), 1.0 / static_cast<double>(n), only);
}

GOSSIP_INLINE void plan::average_all(std::vector<encoded_row> const &rows) {
  require_own_rows();
  std::size_t const n = nodes();
  std::size_t all = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].owner != i || rows[i].row != rows[0].row)
      refuse(rows[i].owner, "is not the next whose encoded rows are averaged");
    all += rows[i].bytes;
  }
  if (rows.size() != n)
    throw error("exchange: average_all: expected an encoded row of each of " + std::to_string(n) +
                " nodes, got " + std::to_string(rows.size()));
  require_terms(0, n);
  // A node sends on all but the next one's.
  times_->ring(n - 1, [&](node i) { return all - rows[(i + 1) % n].bytes; });
  bytes_ += (n - 1) * all;
  row_name const row = rows[0].row;
  writer_.sum_over_nodes(summed(row, row), 1.0 / static_cast<double>(n), fragment::every());
}

GOSSIP_INLINE std::vector<node_term> plan::arriving(node i, std::vector<node_term> terms,
                                                    row_name from) {
  require_owner("arriving", i);
  std::erase_if(terms, [&](node_term const &term) {
    require_owner("arriving", term.owner);
    if (!participants_.present(term.owner)) return true;
    if (term.owner == i) return false;
    if (waits_in_vain(i, term.owner)) return true;
    if (!times_->losses().lost(term.owner, i)) return false;
    receive_at(i, term.owner, bytes_of(from));
    return true;
  });
  return terms;
}

GOSSIP_INLINE void plan::sum_to(node i, row_name to, std::vector<node_term> const &terms,
                                row_name from) {
  require_own_rows();
  std::size_t const bytes = bytes_of(from);
  require_owner("sum_to", i);
  require_terms(i, terms.size());
  for (node_term const &term : terms) {
    detail::require_finite("sum_to", i, term.weight);
    require_owner("sum_to", term.owner);
    if (term.owner != i) receive_at(i, term.owner, bytes);
  }
  if (to == model_row) times_->write(i);
  writer_.sum_to(i, summed(to, from), terms);
}

GOSSIP_INLINE sent_mixture plan::message_of(row_name row, mixing_matrix const &w,
                                            fragment const &only) const {
  if (w.rows() != nodes())
    throw error("exchange: mix_all: expected a matrix of " + std::to_string(nodes()) +
                " rows, got " + std::to_string(w.rows()));
  return {&w, bytes_of(row, only)};
}

GOSSIP_INLINE mixing_matrix const &plan::among_present(mixing_matrix const &w) {
  participants const &in_round = participants_;
  if (in_round.are_all()) return w;
  return present_.emplace(arrived_weights(w, facts_.properties.keeps,
                                          [&](node j, node i) { return in_round.present(j, i); }));
}

GOSSIP_INLINE mixing_matrix const &plan::arrived(mixing_matrix const &w) {
  link_losses &losses = times_->losses();
  auto const &times = *times_;
  if (!losses.gone() && !times.misses_any()) return w;
  return arrived_.emplace(arrived_weights(w, facts_.properties.keeps, [&](node j, node i) {
    return !times.misses(j, i) && !losses.lost(j, i);
  }));
}

}  // namespace gossip
