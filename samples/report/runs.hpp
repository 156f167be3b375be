// The runs that folders of gossip-simulate hold.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace report {

using json = nlohmann::ordered_json;

/// A folder with config.json, metrics.jsonl and, where the run has ended, summary.json.
struct run {
  std::string name;    // of the folder
  std::string folder;  // its path
  json config;
  json identity;                 // of program and files; null where there is no such file
  json summary;                  // null of a run that has not ended
  std::size_t observations = 0;  // lines of metrics.jsonl
  std::map<std::string, std::vector<double>> columns;  // "accuracy.mean"; NaN where a line has none

  /// The configuration with the identity beside it: what runs differ by.
  json what() const;

  /// Of an observation; NaN where there is none.
  double value(std::string const &column, std::size_t observation) const;
};

/// A run of a sweep that has no observations, and the sentence why.
struct failed_run {
  std::string name, sentence;
};

struct run_list {
  std::vector<run> runs;
  std::vector<failed_run> failed;
};

/// Every folder is a run's or a sweep's. Throws gossip::input_error with the file, and the line of
/// it, that is missing or damaged.
run_list runs_in(std::vector<std::string> const &folders);

}  // namespace report
