// Data sets from tables of numbers, a sample a line.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/core/number_text.hpp>
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

  csv_samples(std::string const &from, label_column where) : path(from) {
    number_table table(path);
    bool const first = where == label_column::first;
    for (std::vector<double> numbers; table.next(numbers);) {
      if (numbers.size() < 2)
        throw input_error(table.where(), "a label and at least one feature", "one number");
      features = numbers.size() - 1;
      if (labels.empty()) take_names(table.header(), first);
      labels.push_back(label_of(first ? numbers.front() : numbers.back(), table.where()));
      for (std::size_t k = 0; k < features; ++k) {
        double const value = numbers[first ? k + 1 : k];
        values.push_back(static_cast<float>(value));
        if (!std::isfinite(values.back()))
          throw input_error(table.where() + ": field " + std::to_string(first ? k + 2 : k + 1),
                            "a finite number below 2^128", shortest(value));
      }
    }
    if (labels.empty()) throw input_error(path, "at least one sample", "none");
  }

  dataset made(std::size_t classes) && {
    return {path, {1, 1, features}, classes, std::move(values), std::move(labels)};
  }

  /// Throws input_error where a column that is named for the label is taken for a feature.
  void take_names(std::vector<std::string> const &header, bool label_first) {
    names = header;
    if (names.empty()) return;
    std::size_t const label = label_first ? 0 : features;
    auto const says_label = [](std::string name) {
      for (char &c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return name == "label" || name == "labels" || name == "class" || name == "target";
    };
    auto const named = std::ranges::find_if(names, says_label);
    if (named == names.end() || says_label(names[label])) return;
    throw input_error(path,
                      "the label in column " + std::to_string(label + 1) + ", the " +
                          (label_first ? "first" : "last"),
                      lines::quoted(*named) + " in column " +
                          std::to_string(named - names.begin() + 1) + " and " +
                          lines::quoted(names[label]) + " there");
  }

  /// Throws input_error unless these samples have the features of others, in their order.
  void require_features_of(csv_samples const &other) const {
    if (features != other.features)
      throw input_error(path,
                        std::to_string(other.features) + " features, as " + other.path + " has",
                        std::to_string(features));
    if (names.empty() || other.names.empty()) return;
    auto const [here, there] = std::ranges::mismatch(names, other.names);
    if (here != names.end())
      throw input_error(path + ": column " + std::to_string(here - names.begin() + 1),
                        lines::quoted(*there) + ", as in " + other.path, lines::quoted(*here));
  }
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
inline std::pair<dataset, dataset> csv_sets(std::string const &train, std::string const &test,
                                            label_column where = label_column::last) {
  detail::csv_samples training(train, where), testing(test, where);
  testing.require_features_of(training);
  std::size_t const classes = detail::classes_of(training.labels, testing.labels);
  return {std::move(training).made(classes), std::move(testing).made(classes)};
}

}  // namespace gossip
