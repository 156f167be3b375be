#include "analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace propagation {

using gossip::node;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Ranks from 0, equal values having the mean of theirs.
std::vector<double> ranks(std::vector<double> const &values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> rank(values.size());
  for (std::size_t first = 0, last; first < order.size(); first = last) {
    last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t k = first; k < last; ++k)
      rank[order[k]] = 0.5 * static_cast<double>(first + last - 1);
  }
  return rank;
}

/// The k-th smallest arrival of a ring's nodes, counted from 0.
double nth_arrival(std::vector<double> arrivals, std::size_t k) {
  std::sort(arrivals.begin(), arrivals.end());
  return arrivals[k];
}

void fill(ring &r, analysis const &found, arguments const &a, training const &t,
          std::vector<double> const &ticks) {
  std::size_t const n = r.nodes.size();
  for (observation const &seen : t.history) {
    double sum = 0, knowing = 0;
    for (node const i : r.nodes) {
      sum += seen.rare[i];
      knowing += seen.rare[i] >= a.threshold;
    }
    r.accuracy.push_back(sum / static_cast<double>(n));
    r.knowing.push_back(knowing / static_cast<double>(n));
  }
  std::vector<double> arrivals;
  for (node const i : r.nodes) arrivals.push_back(found.arrival[i]);
  r.mean_arrival = arrival(r.accuracy, ticks, a.threshold);
  r.first = nth_arrival(arrivals, 0);
  r.half = nth_arrival(arrivals, (n - 1) / 2);
  r.all = nth_arrival(arrivals, n - 1);
}

}  // namespace

double arrival(std::span<double const> accuracy, std::span<double const> ticks, double threshold) {
  bool was_below = false;
  for (std::size_t k = 0; k < accuracy.size(); ++k) {
    if (was_below && accuracy[k] >= threshold) return ticks[k];
    was_below = was_below || accuracy[k] < threshold;
  }
  return never;
}

double spearman(std::vector<double> const &x, std::vector<double> const &y) {
  auto const a = ranks(x), b = ranks(y);
  double const mean = 0.5 * (static_cast<double>(x.size()) - 1);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - mean) * (b[k] - mean);
    aa += (a[k] - mean) * (a[k] - mean);
    bb += (b[k] - mean) * (b[k] - mean);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : std::numeric_limits<double>::quiet_NaN();
}

analysis analyse(arguments const &a, network const &net, training const &t) {
  analysis found;
  std::vector<double> ticks;
  for (observation const &seen : t.history) ticks.push_back(seen.tick);
  for (node i = 0; i < net.nodes(); ++i) {
    std::vector<double> own;
    for (observation const &seen : t.history) own.push_back(seen.rare[i]);
    found.arrival.push_back(arrival(own, ticks, a.threshold));
  }
  found.rings.resize(net.farthest() + 1);
  for (node i = 0; i < net.nodes(); ++i) found.rings[net.distance[i]].nodes.push_back(i);
  for (ring &r : found.rings) fill(r, found, a, t, ticks);

  std::vector<double> when, distance, degree, closeness, betweenness;
  for (node i = 0; i < net.nodes(); ++i) {
    if (net.distance[i] == 0) continue;
    when.push_back(found.arrival[i]);
    distance.push_back(net.distance[i]);
    degree.push_back(static_cast<double>(net.graph.degree(i)));
    closeness.push_back(net.closeness[i]);
    betweenness.push_back(net.betweenness[i]);
  }
  found.correlations = {{"distance", spearman(when, distance)},
                        {"degree", spearman(when, degree)},
                        {"closeness", spearman(when, closeness)},
                        {"betweenness", spearman(when, betweenness)}};
  return found;
}

}  // namespace propagation
