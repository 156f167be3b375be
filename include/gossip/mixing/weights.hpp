// The contract of a weight rule: which coefficients nodes give to each other's models.
//
// A weight rule is a copyable aggregate of hyper-parameters with one member:
//
//     gossip::mixing_matrix weights(gossip::graph const &) const;
//
// Row i of the result belongs to the receiver i and has an entry for i itself and for each node
// that i hears from. Rows sum to 1, or columns in a matrix that is made so (mixing_matrix checks
// it). An exchange that must keep the mean of the network asks for is_doubly_stochastic() besides.
// A rule whose weights change from round to round returns std::vector<mixing_matrix> instead, the
// matrices of one period, or by_round<mixing_matrix>. On a graph that changes, a rule of one matrix
// is asked for each of its graphs (weights_by_round). A tiny model:
//
//     struct stay_apart {
//       gossip::mixing_matrix weights(gossip::graph const &g) const {
//         return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.0; });
//       }
//     };
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/copyable.hpp>
#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// weights(graph) gives a mixing matrix.
template <class T>
concept gives_weights = requires(T const &rule, graph const &g) {
  { rule.weights(g) } -> std::same_as<mixing_matrix>;
};

/// weights(graph) gives the matrices of a period, which rounds take in turns.
template <class T>
concept gives_periodic_weights = requires(T const &rule, graph const &g) {
  { rule.weights(g) } -> std::same_as<std::vector<mixing_matrix>>;
};

/// weights(graph) gives the matrices of all rounds.
template <class T>
concept gives_weights_by_round = requires(T const &rule, graph const &g) {
  { rule.weights(g) } -> std::same_as<by_round<mixing_matrix>>;
};

template <class T>
concept has_weights = gives_weights<T> || gives_periodic_weights<T> || gives_weights_by_round<T>;

/// A rule for the coefficients that nodes give to each other's models.
template <class T>
concept weight_rule = copyable<T> && has_weights<T>;

/// The matrices of a rule, or of an exchange with weights: of one that gives a single matrix, on a
/// graph that changes, the matrix of each of its graphs.
template <has_weights T>
by_round<mixing_matrix> weights_by_round(T const &rule, graph const &g) {
  if constexpr (gives_weights<T>)
    if (g.rounds() != nullptr)
      return g.rounds()->map([&](graph const &of_round) { return rule.weights(of_round); });
  return rule.weights(g);
}

/// (W + I) / 2: no eigenvalue below 0, at twice the rounds.
mixing_matrix lazy(mixing_matrix const &w);

namespace detail {

inline void require_undirected(char const *where, graph const &g) {
  if (g.directed()) throw input_error(where, "an undirected graph", "a directed graph");
}

}  // namespace detail

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/weights.ipp>
#endif
