// What the rows of all nodes become by an averaging that has not been done: W X, for observers that
// look before it.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/mixing/matrix.hpp>

namespace gossip::detail {

/// W X of n nodes, in double, each row summed in ascending order of the nodes it listens to.
class averaged_rows {
 public:
  /// rows: parameters(j) has so many columns of node j.
  template <class Rows, class Backend>
  averaged_rows(Rows const &rows, Backend const &backend, mixing_matrix const &w,
                std::size_t columns)
      : nodes_(w.rows()), columns_(columns), values_(nodes_ * columns) {
    if (nodes_ > 0) rows.parameters(0);  // brings those of all ranks, on one thread
    backend.for_each(nodes_, [&](std::size_t, std::size_t i) {
      double *const to = values_.data() + i * columns_;
      auto const [sources, weights] = w.row(i);
      for (std::size_t k = 0; k < sources.size(); ++k) {
        auto const *const x = rows.parameters(sources[k]);
        for (std::size_t c = 0; c < columns_; ++c) to[c] += weights[k] * static_cast<double>(x[c]);
      }
    });
  }

  /// |y_i|^2 of every node (n), over columns first to last.
  std::vector<double> squared_norms(std::size_t first, std::size_t last) const {
    std::vector<double> squares(nodes_);
    for (std::size_t i = 0; i < nodes_; ++i)
      for (std::size_t c = first; c < last; ++c) squares[i] += at(i, c) * at(i, c);
    return squares;
  }

  /// (columns)
  std::vector<double> mean() const {
    std::vector<double> sum(columns_);
    for (std::size_t i = 0; i < nodes_; ++i)
      for (std::size_t c = 0; c < columns_; ++c) sum[c] += at(i, c);
    for (double &x : sum) x /= static_cast<double>(nodes_);
    return sum;
  }

  /// (1/n) sum_i |y_i - mean|^2 over columns first to last.
  double mean_squared_distance(double const *mean, std::size_t first, std::size_t last) const {
    double sum = 0;
    for (std::size_t i = 0; i < nodes_; ++i)
      for (std::size_t c = first; c < last; ++c) sum += (at(i, c) - mean[c]) * (at(i, c) - mean[c]);
    return sum / static_cast<double>(nodes_);
  }

 private:
  double at(std::size_t i, std::size_t c) const { return values_[i * columns_ + c]; }

  std::size_t nodes_, columns_;
  std::vector<double> values_;  // (n,d)
};

}  // namespace gossip::detail
