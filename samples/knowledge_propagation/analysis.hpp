// What the observations of a run say: who had learnt when, by distance and by centrality.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "training.hpp"

namespace propagation {

/// Nodes at one distance from the seeds.
struct ring {
  std::vector<gossip::node> nodes;
  std::vector<double> accuracy;  ///< (observations) on the class, mean over the nodes
  std::vector<double> knowing;   ///< (observations) share of them at the threshold or above
  double mean_arrival;      ///< tick of the first observation whose accuracy is at the threshold
  double first, half, all;  ///< ticks at which one, half and all of them had learnt it
};

/// Ranks of one correlation; nan where one of the two is constant.
struct correlation {
  std::string with;
  double value;
};

struct analysis {
  std::vector<double> arrival;            ///< (n) tick, infinite where it did not arrive
  std::vector<ring> rings;                ///< (farthest distance + 1)
  std::vector<correlation> correlations;  ///< of arrival, over all nodes but seeds
};

analysis analyse(arguments const &a, network const &net, training const &t);

/// The tick at which accuracies first are at the threshold or above having been below it; infinite
/// where they never are. That of the first model, before any training, is so not counted as learnt.
double arrival(std::span<double const> accuracy, std::span<double const> ticks, double threshold);

/// C. Spearman 1904: the correlation of ranks, ties having their mean rank; infinite values tie.
double spearman(std::vector<double> const &x, std::vector<double> const &y);

}  // namespace propagation
