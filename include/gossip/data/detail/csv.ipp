// Definitions of data/csv.hpp.
#pragma once

#include <gossip/data/csv.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

namespace detail {

GOSSIP_INLINE csv_samples::csv_samples(std::string const &from, label_column where) : path(from) {
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

GOSSIP_INLINE void csv_samples::take_names(std::vector<std::string> const &header,
                                           bool label_first) {
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

GOSSIP_INLINE void csv_samples::require_features_of(csv_samples const &other) const {
  if (features != other.features)
    throw input_error(path, std::to_string(other.features) + " features, as " + other.path + " has",
                      std::to_string(features));
  if (names.empty() || other.names.empty()) return;
  auto const [here, there] = std::ranges::mismatch(names, other.names);
  if (here != names.end())
    throw input_error(path + ": column " + std::to_string(here - names.begin() + 1),
                      lines::quoted(*there) + ", as in " + other.path, lines::quoted(*here));
}

}  // namespace detail

GOSSIP_INLINE std::pair<dataset, dataset> csv_sets(std::string const &train,
                                                   std::string const &test, label_column where) {
  detail::csv_samples training(train, where), testing(test, where);
  testing.require_features_of(training);
  std::size_t const classes = detail::classes_of(training.labels, testing.labels);
  return {std::move(training).made(classes), std::move(testing).made(classes)};
}

}  // namespace gossip
