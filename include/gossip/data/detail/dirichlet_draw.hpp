// Draws of Dirichlet proportions, and samples dealt out by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/data/split.hpp>

namespace gossip::detail {

inline void check_alpha(char const *where, double alpha) {
  if (!(alpha >= 1e-6 && alpha <= 1e6))
    throw input_error(std::string(where) + ": alpha", "a number from 1e-6 to 1e6",
                      detail::shortest(alpha));
}

/// Logarithms of independent Gamma(alpha) numbers, which are Dirichlet(alpha) once normalised:
/// Gamma(alpha) = Gamma(alpha + 1) U^(1 / alpha), without underflow for small alpha.
inline void draw_logarithms(std::span<double> weights, double alpha, keyed_random &random) {
  for (double &weight : weights) {
    double const boost = elementary::log(1.0 - random.uniform()) / alpha;
    weight = elementary::log(random.gamma(alpha + 1.0)) + boost;
  }
}

/// Logarithms become sums of the weights up to each, of which the greatest counts 1. Gives the sum
/// of all.
double cumulate(std::span<double> weights);

/// The end of each part of `count` items in the proportions of these logarithms, which are
/// overwritten: floor(cumulative proportion * count).
template <class F>
void cut_in_proportion(std::span<double> weights, std::size_t count, F part) {
  double const total = cumulate(weights);
  std::size_t begin = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    auto const end = static_cast<std::size_t>(weights[j] / total * static_cast<double>(count));
    part(j, begin, end);
    begin = end;
  }
}

/// The owner of every sample, (samples): class by class in proportions drawn from Dirichlet(alpha)
/// over the nodes that do not yet have samples / nodes.
std::vector<node> deal_by_class(partition const &by_class, std::size_t nodes, double alpha,
                                std::uint64_t seed, std::uint64_t step);

/// The fewest samples of a node.
std::size_t smallest_share(partition const &shares);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/dirichlet_draw.ipp>
#endif
