// The results of a sweep: a tidy table of every number of every run, and for people the means and
// deviations over seeds.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "built_models.hpp"
#include "schema.hpp"
#include "sweep_fields.hpp"

namespace simulate {

/// A field whose best value is asked for, and by what.
struct best_field {
  std::string pointer, metric;
};

/// Of "/optimizer/rate", by the mean accuracy, or of "/optimizer/rate=loss". Throws input_error
/// where the field is none of the sweep, or the metric none of these.
best_field best_field_of(std::string const &option, std::vector<swept_field> const &fields,
                         std::vector<std::string> const &metrics);

/// Names of the numbers of a line of metrics.jsonl of this model: "accuracy.mean", "loss".
std::vector<std::string> metrics_of(model const &m);

/// Runs are counted from 0, in the order of their combinations. One thread at a time.
class sweep_results {
 public:
  /// path: of results.csv, or empty: no file. names: the runs' folders.
  sweep_results(std::vector<swept_field> fields, std::vector<swept_values> runs,
                std::vector<std::string> names, std::string path);

  /// An observation of a run under way, as metrics.jsonl has it.
  void take(std::size_t run, json const &observation);

  /// A run that is over, by a sentence if it failed. Its rows reach the file behind those of all
  /// runs before it. Throws gossip::error where the file cannot be written.
  void finish(std::size_t run, std::string const &failure);

  /// Numbers of a finished run at its end.
  std::string last_numbers(std::size_t run) const;

  /// A row a combination of all fields but seeds: mean and deviation over its runs.
  void print_summary(std::ostream &out) const;

  /// For each combination of the other fields, seeds and those paired with it left out, the value
  /// of a field whose runs have the best mean of a metric at their end: the greatest of an
  /// accuracy, else the least; of equal ones the first. A value counts where all of its runs have
  /// the number. A list of objects: the other fields, the field, the metric with mean and deviation
  /// of a sample, "runs", and "at_an_end" where the value is the least or the greatest of three
  /// numbers or more. Null takes the place of what is not there.
  json best(best_field const &wanted) const;

  /// The same as a table.
  void print_best(std::ostream &out, best_field const &wanted) const;

 private:
  struct run_rows {
    std::string text;                                  // rows of the file
    std::vector<std::pair<std::string, double>> last;  // numbers of the latest record
    std::string failure;
    bool finished = false;
  };

  std::vector<std::pair<std::vector<std::string>, std::vector<std::size_t>>> groups_by(
      std::vector<std::size_t> const &fields) const;
  std::string row(std::size_t run, std::vector<std::string> const &cells) const;
  void append(std::string const &text) const;
  std::vector<std::size_t> shown_fields() const;

  std::vector<swept_field> fields_;
  std::vector<swept_values> values_;
  std::vector<std::string> names_;
  std::string path_;
  std::vector<run_rows> runs_;
  std::size_t written_ = 0;  // runs whose rows are in the file
};

/// Mean and deviation of a sample, 0 of one value; values: at least one.
std::pair<double, double> mean_and_deviation(std::vector<double> const &values);

/// One of the latest numbers of a run, or null.
double const *number_in(std::vector<std::pair<std::string, double>> const &numbers,
                        std::string const &name);

/// A table for people: columns as wide as their widest cell, two blanks apart.
void print_table(std::ostream &out, std::vector<std::vector<std::string>> const &rows);

}  // namespace simulate
