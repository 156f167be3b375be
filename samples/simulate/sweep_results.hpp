// The results of a sweep: a tidy table of every number of every run, and for people the means and
// deviations over seeds.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gossip/observer/record.hpp>

#include "schema.hpp"
#include "sweep_fields.hpp"

namespace simulate {

/// Runs are counted from 0, in the order of their combinations. One thread at a time.
class sweep_results {
 public:
  /// path: of results.csv, or empty: no file. names: the runs' folders.
  sweep_results(std::vector<swept_field> fields, std::vector<swept_values> runs,
                std::vector<std::string> names, std::string path);

  /// A record of a run under way.
  void take(std::size_t run, gossip::record const &r);

  /// A run that is over, by a sentence if it failed. Its rows reach the file behind those of all
  /// runs before it. Throws gossip::error where the file cannot be written.
  void finish(std::size_t run, std::string const &failure);

  /// Numbers of a finished run at its end.
  std::string last_numbers(std::size_t run) const;

  /// A row a combination of all fields but seeds: mean and deviation over its runs.
  void print_summary(std::ostream &out) const;

 private:
  struct run_rows {
    std::string text;                                  // rows of the file
    std::vector<std::pair<std::string, double>> last;  // numbers of the latest record
    std::string failure;
    bool finished = false;
  };

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

/// A table for people: columns as wide as their widest cell, two blanks apart.
void print_table(std::ostream &out, std::vector<std::vector<std::string>> const &rows);

}  // namespace simulate
