// Checkpoints of a run in its folder, and the run that goes on from them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/observer/checkpoints.hpp>
#include <gossip/observer/record.hpp>

#include "arguments.hpp"
#include "configuration.hpp"
#include "evaluation.hpp"
#include "interruption.hpp"
#include "job.hpp"
#include "ranks.hpp"
#include "run_folder.hpp"

namespace simulate {

/// Whether a folder has a checkpoint that was whole once.
bool has_checkpoint(std::string const &folder);

/// Whether the summary in a folder says that its run is done, was stopped, or has diverged.
bool has_ended(std::string const &folder);

/// The configuration of the sweep or the run in a folder that goes on. Throws input_error where
/// there is neither.
std::string config_to_resume(std::string const &folder);

/// A run with the /checkpoint of its configuration, and of --resume the checkpoint from which it
/// goes on.
class saved_run {
 public:
  /// On all ranks. Throws input_error where /checkpoint has no folder; with --resume where the
  /// folder has no run, a run that has ended and is not to become longer, or a run of other
  /// settings, files or programs, and as newest_checkpoint does.
  /// The folder of a run that goes on has been claimed.
  saved_run(arguments const &given, configuration const &config, model const &m, job const &j,
            last_minute &patience);

  /// Has the job go on from the state, and end where it is asked to; this outlives the run. On all
  /// ranks, before data are in memory, which a limit of memory would count twice. Throws
  /// input_error where the disk has no space for the checkpoints of a run that writes some.
  void prepare(model const &m, job &j);

  /// Has the watcher save the run, whose files are those of the folder. All outlive the run.
  /// tell(line): a line for people about windows, at the ends of which alone a run is saved and
  /// ends, where the first one has taken long.
  void attach(watcher &watch, std::optional<run_folder> &folder,
              std::function<void(std::string const &)> tell);

  /// Machines on which the run was before, other than this one.
  json const &earlier_machines() const { return machines_; }

  /// Lines for people about a run that begins: where it goes on from, and with its checkpoints.
  std::vector<std::string> news() const;
  std::vector<std::string> lines(gossip::run_outline const &outline) const;

  /// The lines of metrics.jsonl before the state from which the run goes on.
  std::vector<json> lines_before() const;

  /// A level has ended: ends the run without a checkpoint where --grace is over.
  void level();

  /// The end of an interrupted run's sentence: the options that go on with it.
  std::string way_on(arguments const &given) const;

 private:
  std::string checkpoints_folder() const { return folder_ + "/checkpoints"; }
  std::string option() const { return "--resume --out " + folder_; }
  void require_same_run(arguments const &given, configuration const &config, job const &j);
  void load(std::uint64_t trainings, std::size_t nodes);
  void require_space() const;
  void tell_of_windows(std::function<void(std::string const &)> const &tell);

  std::string folder_, period_;  // period_: for people; empty: no checkpoints are written
  bool resumes_, each_node_;
  std::size_t ranks_;
  std::uint64_t bytes_ = 0;  // of one checkpoint
  last_minute &patience_;
  json machines_ = json::array();
  std::optional<std::chrono::nanoseconds> grace_;
  std::optional<std::chrono::steady_clock::time_point> asked_, began_;
  std::vector<std::string> passed_over_;  // why newer checkpoints are not taken
  std::unique_ptr<gossip::checkpoint> from_;
  std::optional<gossip::checkpoints> writes_;
  std::atomic<bool> ended_ = false;
  bool has_begun_ = false;
};

}  // namespace simulate
