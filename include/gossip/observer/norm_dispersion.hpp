// Dispersion of the norms of nodes' parameters, tensor by tensor, as DBench measures how far
// replicas have come apart. Xie, Yin, Zhou, Oral, Wang, "Scaling up data parallelism
// in decentralized deep learning", arXiv 2509.12213, 2025.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/model/model.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// Statistics of numbers of one sign, all 0 where they are equal or where their mean is 0.
struct dispersion {
  double gini = 0;       ///< sum over pairs i < j of |v_i - v_j| / (n^2 mean)
  double variation = 0;  ///< coefficient of variation: standard deviation / mean
  double index = 0;      ///< index of dispersion: variance / mean
  double quartiles = 0;  ///< (q3 - q1) / (q3 + q1) of sorted v[floor(n / 4)], v[floor(3 n / 4)]
  double interpolated_quartiles = 0;  ///< the same of quartiles between two v (type 7 of R)
};

/// Of `values` (n), in O(n log n).
inline dispersion dispersion_of(std::vector<double> values) {
  if (values.empty()) return {};
  auto const n = static_cast<double>(values.size());
  std::sort(values.begin(), values.end());
  double above_least = 0, pairs = 0, squares = 0;  // of differences: equal numbers have none
  for (std::size_t i = 1; i < values.size(); ++i) {
    auto const below = static_cast<double>(i);
    above_least += values[i] - values[0];
    pairs += below * (n - below) * (values[i] - values[i - 1]);
  }
  double const mean = values[0] + above_least / n;
  if (!(mean > 0)) return {};
  for (double const value : values) squares += (value - mean) * (value - mean);
  auto const coefficient = [](double first, double third) {
    return third + first > 0 ? (third - first) / (third + first) : 0.0;
  };
  auto const interpolated = [&](double share) {
    double const at = share * (n - 1);
    auto const below = static_cast<std::size_t>(at);
    std::size_t const above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
  };
  return {pairs / (n * n * mean), std::sqrt(squares / n) / mean, squares / n / mean,
          coefficient(values[values.size() / 4], values[3 * values.size() / 4]),
          coefficient(interpolated(0.25), interpolated(0.75))};
}

/// Means over the trainable tensors of the dispersion of their norms |x_i| over the nodes i:
/// norm_gini, norm_variation, norm_index, norm_quartiles, norm_interpolated_quartiles.
struct norm_dispersion {
  template <class Context>
  void measure(Context &context, record &r) const {
    using model = typename Context::model_type;
    std::vector<typename Context::value_type> const origin(row_length<model>);
    dispersion sum;
    for (row_tensor const &tensor : tensors_of<model>) {
      std::vector<double> norms =
          squared_distances(context.rows(), context.engine().host_loops(), origin.data(),
                            tensor.first, tensor.first + tensor.size());
      for (double &norm : norms) norm = std::sqrt(norm);
      dispersion const one = dispersion_of(std::move(norms));
      sum.gini += one.gini;
      sum.variation += one.variation;
      sum.index += one.index;
      sum.quartiles += one.quartiles;
      sum.interpolated_quartiles += one.interpolated_quartiles;
    }
    auto const tensors = static_cast<double>(tensors_of<model>.size());
    r.set("norm_gini", sum.gini / tensors);
    r.set("norm_variation", sum.variation / tensors);
    r.set("norm_index", sum.index / tensors);
    r.set("norm_quartiles", sum.quartiles / tensors);
    r.set("norm_interpolated_quartiles", sum.interpolated_quartiles / tensors);
  }
};

}  // namespace gossip
