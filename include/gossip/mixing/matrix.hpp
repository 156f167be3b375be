// The coefficients of one round of mixing, x_i <- sum_j w_ij x_j, in compressed sparse rows.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip {

namespace detail {

/// A sum that does not lose what rounding cuts off (A. Neumaier 1974): a hub's row has many
/// addends.
class compensated_sum {
 public:
  void add(double x) {
    double const total = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - total) + x : (x - total) + sum_;
    sum_ = total;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

}  // namespace detail

/// The arrays of a matrix in compressed rows: entries of row i are offsets[i]..offsets[i+1]-1.
struct compressed_rows {
  std::span<std::size_t const> offsets{};  // (n+1)
  std::span<node const> columns{};         // (entries)
  std::span<double const> values{};        // (entries)
};

/// The sums of a mixing matrix that are 1: of rows, as in a mean of what a node hears, or of
/// columns, as in shares of what a node sends.
enum class stochastic { rows, columns };

/// Signs that the weight of a node for its own model may have. Any where the weights of single
/// rounds overshoot so that rounds agree fast on average, as MATCHA's do.
enum class own_weight { not_negative, any };

/// The weights of two nodes for each other's models.
struct opposite_weights {
  node i, j;
  double of_i, of_j;  // w_ij and w_ji
};
std::string in_words(opposite_weights const &w);

/// Row i: the nodes that node i listens to, with their weights; itself is always among them.
/// Holds by construction: columns ascend, rows (or columns, where it is made so) sum to 1 within
/// 1e-12, the diagonal is not negative unless it is made so.
class mixing_matrix {
 public:
  struct row_view {
    std::span<node const> columns;   // (entries) ascending, i among them
    std::span<double const> values;  // (entries)
  };

  /// From rows: entries of row i are offsets[i]..offsets[i+1]-1. Throws input_error if they break
  /// what the class promises.
  mixing_matrix(std::vector<std::size_t> offsets, std::vector<node> columns,
                std::vector<double> values, stochastic sums = stochastic::rows,
                own_weight own = own_weight::not_negative);

  /// Row i gives weight(i, j) to each of its neighbours j; the diagonal takes the rest.
  template <class Weight>
  static mixing_matrix over(graph const &g, Weight weight,
                            own_weight own = own_weight::not_negative) {
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    std::vector<double> values;
    for (std::size_t i = 0; i < g.nodes(); ++i) {
      detail::compensated_sum rest;
      rest.add(1.0);
      std::size_t diagonal = offsets.back();
      for (node const j : g.neighbors(i)) {
        double const value = weight(i, std::size_t{j});
        if (value == 0.0) continue;
        if (j < i) ++diagonal;
        columns.push_back(j);
        values.push_back(value);
        rest.add(-value);
      }
      auto const place = static_cast<std::ptrdiff_t>(diagonal);
      columns.insert(columns.begin() + place, static_cast<node>(i));
      values.insert(values.begin() + place, rest.value());
      offsets.push_back(columns.size());
    }
    return {std::move(offsets), std::move(columns), std::move(values), stochastic::rows, own};
  }

  /// A number that copies of this matrix share and no other matrix of the process has.
  std::uint64_t identity() const { return identity_; }

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t entries() const { return columns_.size(); }
  /// The sums that were asked for when it was made.
  stochastic sums() const { return sums_; }
  own_weight own() const { return own_; }
  compressed_rows compressed() const { return {offsets_, columns_, values_}; }

  row_view row(std::size_t i) const {
    std::size_t const count = offsets_[i + 1] - offsets_[i];
    return {{columns_.data() + offsets_[i], count}, {values_.data() + offsets_[i], count}};
  }

  /// w_ij, 0 where there is no entry; O(log entries of the row).
  double at(std::size_t i, std::size_t j) const;

  bool is_symmetric(double tolerance = 1e-12) const { return !asymmetry(tolerance); }
  /// The first entry that differs by more from its opposite; none of a symmetric matrix.
  std::optional<opposite_weights> asymmetry(double tolerance = 1e-12) const;

  /// No weight is negative and the columns sum to 1 too: mixing keeps the mean of the network.
  bool is_doubly_stochastic(double tolerance = 1e-12) const;

  std::vector<double> column_sums() const;

 private:
  static std::uint64_t next_identity() {
    static std::atomic<std::uint64_t> made = 0;
    return ++made;
  }

  double sum_of_row(std::size_t i) const {
    detail::compensated_sum sum;
    for (double const value : row(i).values) sum.add(value);
    return sum.value();
  }

  void check_columns() const;

  void check_row(std::size_t i, bool sums_to_one) const;

  static std::string not_one(double sum) {
    std::ostringstream problem;
    problem.precision(15);
    problem << "sums to " << sum << ", must be 1";
    return problem.str();
  }

  [[noreturn]] static void refuse(std::size_t i, std::string const &problem) {
    throw input_error("mixing_matrix: row " + std::to_string(i) + " " + problem);
  }

  std::vector<std::size_t> offsets_;  // (n+1)
  std::vector<node> columns_;         // (entries)
  std::vector<double> values_;        // (entries)
  stochastic sums_;
  own_weight own_;
  std::uint64_t identity_ = next_identity();
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/matrix.ipp>
#endif
