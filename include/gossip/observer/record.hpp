// Record of an observation: the numbers of one point of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/fleet/memory.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Spread of a quantity over nodes; std is the population's.
struct spread {
  double mean = 0, min = 0, max = 0, std = 0;
};

/// A measurement by its name, a word such as norm_gini.
struct named_number {
  std::string name;
  double value;
};

/// One observation. Absent what no observer measured.
struct record {
  progress_mark mark;
  double wall_seconds = 0;                                 ///< of training, without evaluation
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< mean of trainings since the last,
                                                           ///< at the start none
  std::optional<spread> accuracy;                          ///< over the evaluated nodes
  std::optional<double> averaged_model_accuracy;
  std::optional<double> test_loss;            ///< mean over evaluated nodes and samples
  std::optional<double> consensus_distance;   ///< (1/n) sum_i |x_i - mean x|^2
  std::optional<double> statistics_distance;  ///< the same of statistics, which x leaves out
  std::vector<named_number> numbers;          ///< of other observers
  std::size_t evaluated_nodes = 0;
  std::size_t evaluated_samples = 0;
  bool last = false;
  bool interrupted = false;  ///< the last, of a run that was asked to end early

  /// Names of the members in JSON, which no number of an observer may take.
  static constexpr std::array<std::string_view, 14> members{"round",
                                                            "node_iterations",
                                                            "epoch",
                                                            "virtual_seconds",
                                                            "wall_seconds",
                                                            "bytes_sent",
                                                            "loss",
                                                            "test_loss",
                                                            "accuracy",
                                                            "averaged_model_accuracy",
                                                            "consensus_distance",
                                                            "statistics_distance",
                                                            "evaluated_nodes",
                                                            "evaluated_samples"};

  /// Adds a number, or replaces that of this name, which the same observer has set, or at the end
  /// one that measures on the way. Throws input_error for the name of a member, and for one that is
  /// empty or has control characters.
  void set(std::string_view name, double value) {
    require_free(name);
    for (named_number &known : numbers)
      if (known.name == name) return void(known.value = value);
    numbers.push_back({std::string(name), value});
  }

 private:
  static void require_free(std::string_view name);
};

/// The outline of a run, for sinks before it begins.
struct run_outline {
  std::size_t nodes = 0;
  std::size_t parameters = 0;
  std::uint64_t node_iterations = 0;
  graph_report graph;
  memory_need memory;  ///< of the largest rank
  std::size_t ranks = 1;
  std::vector<std::string> remarks = {};  ///< what a user may not expect of the run, in sentences
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/record.ipp>
#endif
