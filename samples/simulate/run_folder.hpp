// The folder of a run: config.json, metrics.jsonl, summary.json, and of its nodes, where they are
// asked for, graph.json, nodes.jsonl, graph.graphml, mean.safetensors and nodes/; of a dry run:
// plan.json and trace.json.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <gossip/graph/graph.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/detail/line_file.hpp>
#include <gossip/observer/json_lines.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/plan_report.hpp>

#include "schema.hpp"

namespace simulate {

/// What a folder is for, which says what files are written there.
enum class folder_use { run, dry_run, sweep };

/// Throws input_error where the folder has a file that would be written.
void refuse_earlier_files(std::string const &path, folder_use use);

/// Removes the models that an earlier run has exported.
void remove_models(std::string const &path);

/// The folder is this process's own while one of these lives.
class folder_lock {
 public:
  /// Throws input_error where another process has it, or it cannot be read.
  explicit folder_lock(std::string const &path);
  folder_lock(folder_lock const &) = delete;
  folder_lock &operator=(folder_lock const &) = delete;
  ~folder_lock();

 private:
  int folder_;
};

/// All that a dry run prints, and the configuration. Empty: the run itself would not be refused.
/// measured: beside what was predicted, or null.
json to_json(gossip::plan_report const &report, json const &config, std::string const &refusal,
             json const &measured = nullptr);

/// Writes plan.json and, where activities were kept, trace.json, each whole or not at all; their
/// names. Throws as run_folder does.
std::string write_plan(std::string const &path, gossip::plan_report const &report,
                       json const &config, std::string const &refusal,
                       json const &measured = nullptr);

/// Made before anything is computed, so that a folder that cannot be written costs no time.
class run_folder {
 public:
  /// Creates the folder and config.json in it; with `overwrite` files of an earlier run are
  /// replaced. Throws input_error where another run is writing it, where it has files that stay, or
  /// where it cannot be written, gossip::error where the disk is full.
  run_folder(std::string path, json const &config, bool overwrite);

  /// Writes graph.json, and from then on every node's scores to nodes.jsonl.
  void keep_nodes(gossip::graph const &network);

  /// scores: of the observation, where each node's are kept.
  void take(gossip::record const &r, gossip::node_scores const &scores = {});

  /// Writes summary.json.
  void finish(gossip::run_report const &report) const;

  std::string const &path() const { return path_; }

  /// Those that are written, for people.
  std::string names_of_files() const;

 private:
  std::string path_;
  std::optional<folder_lock> lock_;
  std::optional<gossip::json_lines> metrics_;
  std::optional<gossip::detail::line_file> nodes_;
  std::size_t count_of_nodes_ = 0;
};

}  // namespace simulate
