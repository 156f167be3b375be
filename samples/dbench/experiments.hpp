// The experiments: each adds its findings, numbers and charts.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <gossip/graph/graph.hpp>

#include "results.hpp"
#include "runs.hpp"

namespace dbench {

/// What of all experiments may be chosen.
struct extent {
  bool quick = false;
  double peak = 3;  ///< the highest rate of a one-cycle; 3: the reference's
};

inline constexpr std::array<char const *, 3> graph_names{"ring", "torus", "complete"};
inline constexpr std::array<char const *, 3> colors{"#c0392b", "#2980b9", "#27ae60"};

/// Ring, torus a x b with the largest divisor a of n up to its root, and complete graph, as the
/// reference has them.
gossip::graph graph_of(std::string const &name, std::size_t nodes);

/// Eigenvalues of its weights, 1/3 on a ring, 1/5 on a torus, in closed form, without that of the
/// mean (nodes - 1).
std::vector<double> eigenvalues_of(std::string const &name, std::size_t nodes);

/// E6a: noise, averaged; its decay and its bursts. F4, F5.
void decay(bool quick, results &to, progress_lines &progress);
double decay_work(bool quick);

/// E6b: perceptrons on rings, tori and complete graphs. F1, F2, F3, F6.
void growth(extent const &of, digits_data const &data, results &to, progress_lines &progress);
double growth_work(bool quick);

/// E6c: complete graphs whose momentum is averaged, or is not. F5.
void memory(bool quick, results &to, progress_lines &progress);
double memory_work(bool quick);

/// E6d: rates that grow with the degree, and one rate. F7.
void confound(bool quick, digits_data const &data, results &to, progress_lines &progress);
double confound_work(bool quick);

/// E6e: a graph that thins out against fixed ones.
void adaptive(extent const &of, digits_data const &data, results &to, progress_lines &progress);
double adaptive_work(bool quick);

}  // namespace dbench
