// Dispersion of the norms of nodes' parameters, tensor by tensor, as DBench measures how far
// replicas have come apart. Xie, Yin, Zhou, Oral, Wang, "Scaling up data parallelism
// in decentralized deep learning", arXiv 2509.12213, 2025.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/view.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/observer/detail/averaged_rows.hpp>
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
dispersion dispersion_of(std::vector<double> values);

/// Of the parameters of all nodes and their trainable tensors, each of which has size P_l.
///
/// Means over the tensors of the dispersion of their norms |x_i| over the nodes i, unweighted:
/// norm_gini, norm_variation, norm_index, norm_quartiles, norm_interpolated_quartiles; and weighted
/// by P_l: weighted_norm_gini and so on.
///
/// DBench looks between a node's step and its averaging. At the end of a round of an exchange that
/// averages first, trains and steps then, rows are in that state; `averaging` gives what they are
/// once they are averaged besides, in numbers that begin with averaged_. It looks at some columns
/// of all rows at a time, in 64 MB of memory, which ranks send each other.
struct norm_dispersion {
  bool by_tensor = false;  ///< those of each tensor l besides: norm_gini_0, norm_gini_1, ...
  bool distances = false;  ///< consensus: tensor_distance_l, D_l = (1/n) sum_i |x_i - mean x|^2 of
                           ///< tensor l; relative_distance, the root of their sum over |mean x|
  by_round<mixing_matrix> averaging{};  ///< the weights that follow each round; empty: none

  /// Throws input_error where the matrices are of other networks.
  template <class Context>
  void check(Context &context) const {
    for (mixing_matrix const &w : averaging.values())
      if (w.rows() != context.size().nodes)
        throw input_error("norm_dispersion",
                          "matrices of " + std::to_string(context.size().nodes) + " rows",
                          std::to_string(w.rows()));
  }

  template <class Context>
  void measure(Context &context, record &r) const {
    model_outline const model = context.outline();
    using value = typename Context::value_type;
    auto const &loops = context.loops();
    std::vector<value> const origin(model.row_length());
    of_tensors(model, "", r, [&](row_tensor const &t) {
      return squared_distances(context.rows(), loops, origin.data(), t.first, t.first + t.size());
    });
    if (distances) {
      value const *const mean = context.mean_model();
      of_distances(model, "", r, mean, [&](row_tensor const &t) {
        return mean_squared_distance(context.rows(), loops, mean, t.first, t.first + t.size());
      });
    }
    if (averaging.empty()) return;
    auto const &w = averaging[r.mark.round > 0 ? r.mark.round - 1 : 0];
    std::vector<double> mean(model.parameters), apart;
    of_tensors(model, "averaged_", r, [&](row_tensor const &t) {
      auto [norms, distance] = averaged(context.rows(), loops, w, t, mean);
      apart.push_back(distance);
      return std::move(norms);
    });
    std::size_t l = 0;
    if (distances)
      of_distances(model, "averaged_", r, mean.data(),
                   [&](row_tensor const &) { return apart[l++]; });
  }

 private:
  static constexpr std::array<char const *, 5> names{
      "norm_gini", "norm_variation", "norm_index", "norm_quartiles", "norm_interpolated_quartiles"};

  /// The squared norms (n) of the rows of W X in a tensor's columns, and the mean squared distance
  /// of the rows from their mean, which is written to these columns of `mean` (parameters).
  template <class Rows, class Backend>
  static std::pair<std::vector<double>, double> averaged(Rows const &rows, Backend const &loops,
                                                         mixing_matrix const &w,
                                                         row_tensor const &t,
                                                         std::vector<double> &mean) {
    std::vector<double> norms(w.rows()), apart(w.rows());
    double const share = static_cast<double>(w.rows());
    detail::each_averaged(rows, loops, w, t.first, t.first + t.size(),
                          [&](std::size_t begin, std::size_t end, rows_view<double const> y) {
                            for (std::size_t i = 0; i < y.rows; ++i)
                              for (std::size_t c = begin; c < end; ++c) mean[c] += y[i][c - begin];
                            for (std::size_t c = begin; c < end; ++c) mean[c] /= share;
                            for (std::size_t i = 0; i < y.rows; ++i)
                              for (std::size_t c = begin; c < end; ++c) {
                                double const value = y[i][c - begin], away = value - mean[c];
                                norms[i] += value * value;
                                apart[i] += away * away;
                              }
                          });
    return {norms, std::accumulate(apart.begin(), apart.end(), 0.0) / share};
  }

  /// squares(tensor): its squared norms (n).
  template <class F>
  void of_tensors(model_outline const &model, std::string const &prefix, record &r,
                  F squares) const {
    std::array<double, names.size()> sums{}, weighted{};
    std::size_t l = 0;
    for (row_tensor const &tensor : model.tensors) {
      std::vector<double> norms = squares(tensor);
      for (double &norm : norms) norm = std::sqrt(norm);
      dispersion const of = dispersion_of(std::move(norms));
      std::array const all{of.gini, of.variation, of.index, of.quartiles,
                           of.interpolated_quartiles};
      for (std::size_t k = 0; k < all.size(); ++k) {
        sums[k] += all[k];
        weighted[k] += all[k] * static_cast<double>(tensor.size());
        if (by_tensor) r.set(prefix + names[k] + "_" + std::to_string(l), all[k]);
      }
      ++l;
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      r.set(prefix + names[k], sums[k] / static_cast<double>(l));
      r.set(prefix + "weighted_" + names[k], weighted[k] / static_cast<double>(model.parameters));
    }
  }

  /// distance(tensor): D_l.
  template <class T, class F>
  static void of_distances(model_outline const &model, std::string const &prefix, record &r,
                           T const *mean, F distance) {
    double sum = 0, norm = 0;
    std::size_t l = 0;
    for (row_tensor const &tensor : model.tensors) {
      double const of = distance(tensor);
      r.set(prefix + "tensor_distance_" + std::to_string(l++), of);
      sum += of;
    }
    for (std::size_t c = 0; c < model.parameters; ++c)
      norm += static_cast<double>(mean[c]) * static_cast<double>(mean[c]);
    r.set(prefix + "relative_distance", norm > 0 ? std::sqrt(sum / norm) : 0.0);
  }
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/norm_dispersion.ipp>
#endif
