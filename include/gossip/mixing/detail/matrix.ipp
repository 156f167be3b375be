// Definitions of mixing/matrix.hpp.
#pragma once

#include <gossip/mixing/matrix.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

GOSSIP_INLINE std::string in_words(opposite_weights const &w) {
  std::string const i = std::to_string(w.i), j = std::to_string(w.j);
  return detail::shortest(w.of_i) + " of node " + i + " for " + j + " and " +
         detail::shortest(w.of_j) + " of node " + j + " for " + i;
}

GOSSIP_INLINE mixing_matrix::mixing_matrix(std::vector<std::size_t> offsets,
                                           std::vector<node> columns, std::vector<double> values,
                                           stochastic sums, own_weight own)
    : offsets_(std::move(offsets)),
      columns_(std::move(columns)),
      values_(std::move(values)),
      sums_(sums),
      own_(own) {
  bool const consistent = !offsets_.empty() && offsets_.front() == 0 &&
                          std::is_sorted(offsets_.begin(), offsets_.end()) &&
                          offsets_.back() == columns_.size() && columns_.size() == values_.size();
  if (!consistent) throw input_error("mixing_matrix: offsets, columns and values do not match");
  for (std::size_t i = 0; i < rows(); ++i) check_row(i, sums == stochastic::rows);
  if (sums == stochastic::columns) check_columns();
}

GOSSIP_INLINE double mixing_matrix::at(std::size_t i, std::size_t j) const {
  auto const [columns, values] = row(i);
  auto const found = std::lower_bound(columns.begin(), columns.end(), j);
  if (found == columns.end() || *found != j) return 0.0;
  return values[static_cast<std::size_t>(found - columns.begin())];
}

GOSSIP_INLINE std::optional<opposite_weights> mixing_matrix::asymmetry(double tolerance) const {
  for (std::size_t i = 0; i < rows(); ++i) {
    auto const [columns, values] = row(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (double const back = at(columns[k], i); std::abs(values[k] - back) > tolerance)
        return opposite_weights{static_cast<node>(i), columns[k], values[k], back};
  }
  return std::nullopt;
}

GOSSIP_INLINE bool mixing_matrix::is_doubly_stochastic(double tolerance) const {
  if (std::any_of(values_.begin(), values_.end(), [](double v) { return v < 0.0; })) return false;
  auto const near_one = [tolerance](double sum) { return std::abs(sum - 1.0) <= tolerance; };
  auto const columns = column_sums();
  if (!std::all_of(columns.begin(), columns.end(), near_one)) return false;
  for (std::size_t i = 0; i < rows(); ++i)
    if (!near_one(sum_of_row(i))) return false;
  return true;
}

GOSSIP_INLINE std::vector<double> mixing_matrix::column_sums() const {
  std::vector<detail::compensated_sum> sums(rows());  // (n)
  for (std::size_t k = 0; k < values_.size(); ++k) sums[columns_[k]].add(values_[k]);
  std::vector<double> values;
  for (detail::compensated_sum const &sum : sums) values.push_back(sum.value());
  return values;
}

GOSSIP_INLINE void mixing_matrix::check_columns() const {
  auto const sums = column_sums();
  for (std::size_t j = 0; j < sums.size(); ++j)
    if (std::abs(sums[j] - 1.0) > 1e-12)
      throw input_error("mixing_matrix: column " + std::to_string(j) + " " + not_one(sums[j]));
}

GOSSIP_INLINE void mixing_matrix::check_row(std::size_t i, bool sums_to_one) const {
  auto const [columns, values] = row(i);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] >= rows() || (k > 0 && columns[k] <= columns[k - 1]))
      refuse(i, "has columns that do not ascend or are out of range");
  if (!std::binary_search(columns.begin(), columns.end(), i)) refuse(i, "has no diagonal entry");
  if (double const own = at(i, i); std::isnan(own) || (own < 0 && own_ != own_weight::any))
    refuse(i, "has a negative diagonal");
  double const sum = sum_of_row(i);
  if (sums_to_one && std::abs(sum - 1.0) > 1e-12) refuse(i, not_one(sum));
}

}  // namespace gossip
