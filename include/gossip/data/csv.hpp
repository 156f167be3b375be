// Data sets from tables of numbers, a sample a line.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
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
  std::size_t features = 0;  // of a sample
  std::vector<float> values;
  std::vector<std::uint16_t> labels;

  csv_samples(std::string const &from, label_column where) : path(from) {
    number_table table(path);
    bool const first = where == label_column::first;
    for (std::vector<double> numbers; table.next(numbers);) {
      if (numbers.size() < 2)
        throw input_error(table.where(), "a label and at least one feature", "one number");
      features = numbers.size() - 1;
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

/// Training and test samples of two such files. Both sets have as many classes as the labels of
/// either say.
inline std::pair<dataset, dataset> csv_sets(std::string const &train, std::string const &test,
                                            label_column where = label_column::last) {
  detail::csv_samples training(train, where), testing(test, where);
  if (training.features != testing.features)
    throw input_error(test, std::to_string(training.features) + " features, as " + train + " has",
                      std::to_string(testing.features));
  std::size_t const classes = detail::classes_of(training.labels, testing.labels);
  return {std::move(training).made(classes), std::move(testing).made(classes)};
}

}  // namespace gossip
