// Data sets from tables of numbers, a sample a line.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/data/dataset.hpp>

namespace gossip {

/// The column of labels in a table.
enum class label_column { first, last };

/// The samples of a CSV file, gzipped or not: numbers between commas, semicolons or tabs, of which
/// one is the label, a whole number from 0, and the others features as they are. A first line that
/// is not all numbers is a header. `classes` 0: as many as labels say. Throws input_error
/// "path:line: expected 785 numbers, got 784".
inline dataset read_csv(std::string const &path, label_column where = label_column::last,
                        std::size_t classes = 0) {
  detail::lines file(path);
  std::vector<float> features;
  std::vector<std::uint16_t> labels;
  std::vector<double> numbers;
  std::size_t columns = 0, most = 0;
  for (std::string_view line; file.next(line);) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!detail::read_numbers(line, numbers)) {
      if (file.number() == 1) continue;
      file.fail("numbers between commas", detail::lines::quoted(line));
    }
    if (columns == 0) columns = numbers.size();
    if (columns < 2) file.fail("a label and at least one feature", "one number");
    if (numbers.size() != columns)
      file.fail(std::to_string(columns) + " numbers", std::to_string(numbers.size()));
    bool const first = where == label_column::first;
    double const label = first ? numbers.front() : numbers.back();
    if (!(label >= 0 && label < dataset::max_classes && label == std::floor(label)))
      file.fail("a whole label from 0", std::to_string(label));
    labels.push_back(static_cast<std::uint16_t>(label));
    most = std::max<std::size_t>(most, labels.back());
    for (std::size_t k = 0; k + 1 < columns; ++k)
      features.push_back(static_cast<float>(numbers[first ? k + 1 : k]));
  }
  if (labels.empty()) throw input_error(path, "at least one sample", "none");
  return {path,
          {1, 1, columns - 1},
          classes > 0 ? classes : most + 1,
          std::move(features),
          std::move(labels)};
}

/// Training and test samples of two such files.
inline std::pair<dataset, dataset> csv_sets(std::string const &train, std::string const &test,
                                            label_column where = label_column::last) {
  dataset training = read_csv(train, where);
  std::size_t const classes = training.classes();
  return {std::move(training), read_csv(test, where, classes)};
}

}  // namespace gossip
