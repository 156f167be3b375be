// Data sets from tables of numbers, a sample a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/label.hpp>
#include <gossip/data/table.hpp>

namespace gossip {

/// The column of labels in a table.
enum class label_column { first, last };

namespace detail {

/// Samples of a table, before it is known how many classes there are.
struct csv_samples {
  std::string path;
  std::size_t features = 0;        // of a sample
  std::vector<std::string> names;  // of all columns; none without a header
  std::vector<float> values;
  std::vector<std::uint16_t> labels;

  csv_samples(std::string const &from, label_column where);

  dataset made(std::size_t classes) && {
    return {path, {1, 1, features}, classes, std::move(values), std::move(labels)};
  }

  /// Throws input_error where a column that is named for the label is taken for a feature.
  void take_names(std::vector<std::string> const &header, bool label_first);

  /// Throws input_error unless these samples have the features of others, in their order.
  void require_features_of(csv_samples const &other) const;
};

}  // namespace detail

/// The samples of a CSV file, gzipped or not: numbers between commas, semicolons, tabs or blanks,
/// in quotes or not, of which one is the label, a whole number from 0, and the others features as
/// they are. A first line of names is a header. Throws input_error "path:line: field 4: expected a
/// number, got nothing".
inline dataset read_csv(std::string const &path, label_column where = label_column::last) {
  detail::csv_samples samples(path, where);
  std::size_t const classes = detail::classes_of(samples.labels, {});
  return std::move(samples).made(classes);
}

/// Training and test samples of two such files, whose columns have the same names where both have a
/// header. Both sets have as many classes as the labels of either say.
std::pair<dataset, dataset> csv_sets(std::string const &train, std::string const &test,
                                     label_column where = label_column::last);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/csv.ipp>
#endif
