// The folder of a run: config.json, identity.json, metrics.jsonl, summary.json, and of its nodes,
// where they are asked for, graph.json, nodes.jsonl, graph.graphml, mean.safetensors and nodes/; of
// a dry run: plan.json and trace.json.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/detail/line_file.hpp>
#include <gossip/observer/json_lines.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/plan_report.hpp>

#include "earlier_files.hpp"
#include "schema.hpp"
#include "whole_file.hpp"

namespace simulate {

/// What a folder is for, which says what files are written there.
enum class folder_use { run, dry_run, sweep };

/// Throws input_error where the folder has files that would be replaced: of a run or a sweep for
/// either, of a dry run or a sweep for a dry run.
void refuse_earlier_files(std::string const &path, folder_use use);

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

/// The end of a run that threw: "diverged", "out of disk", "out of memory", "failed".
char const *end_of(std::exception const &fault);

/// Nothing in the folder is touched before the run is known to start. Then files that it replaces
/// are set aside; they come back if it is refused before it has trained, and go when it has ended.
class run_folder {
 public:
  /// Throws input_error where the folder has files of an earlier run that stay (replaces: they do
  /// not), or cannot be written.
  run_folder(std::string path, bool replaces);
  run_folder(run_folder const &) = delete;
  run_folder &operator=(run_folder const &) = delete;
  ~run_folder();

  /// Before the first training: makes the folder with config.json and identity.json, and room for
  /// summary.json. Throws as the constructor does, input_error also where another run is writing
  /// there, write_error where the disk is full.
  /// replaced: paths within the folder of files that go beside those of an earlier run.
  void begin(json const &config, json const &identity,
             std::vector<std::string> const &replaced = {});

  /// Before anything is read of a run that goes on: no other process has its folder. Throws as
  /// folder_lock does.
  void claim() { lock_.emplace(path_); }

  /// The same as begin for a run whose files are there, in a folder that has been claimed. With
  /// lines: they stay, and name_state cuts off those behind the state from which the run goes on;
  /// else it begins anew. config: takes the place of the one that is there once the run trains;
  /// null: that one stays. Throws as begin does.
  void go_on(bool with_lines, json const &config);

  /// The lengths of the files that lines are added to, as parts of the run's state; of a rank that
  /// writes none, the same parts. each_node: whether nodes.jsonl is among them.
  static void name_state(std::optional<run_folder> &folder, bool each_node,
                         gossip::state_visitor const &visit);

  /// The run trains: the summary and the models of an earlier part of it are no longer true, nor is
  /// the configuration of one that becomes longer.
  void trains();

  /// Numbers of the run for the summary of one that fails.
  void expect(gossip::run_outline const &outline) { outline_ = outline; }

  /// Writes graph.json, and from then on every node's scores to nodes.jsonl.
  void keep_nodes(gossip::graph const &network);

  /// scores: of the observation, where each node's are kept.
  void take(gossip::record const &r, gossip::node_scores const &scores = {});

  /// Writes summary.json; sentence: what could not be written beside it, or "".
  void finish(gossip::run_report const &report, std::string const &sentence = "");

  /// Writes summary.json of a run that ended by an exception, with what is known of it, how it
  /// ended and the sentence. Nothing where the run was refused before it has trained.
  void fail(std::exception const &fault);

  std::string const &path() const { return path_; }

  /// What the earlier run that this one takes the place of differs in; "" where there was none.
  std::string const &overwritten() const { return overwritten_; }

  /// The names of the files that are written, for people.
  std::string names_of_files() const;

 private:
  void open();
  void end(json const &summary);

  std::string path_, overwritten_;
  json config_;  // of a run that becomes longer; null
  bool replaces_, made_ = false, touched_ = false, began_ = false, ended_ = false;
  bool goes_on_ = false, with_lines_ = false;  // what is in the folder is this run's
  bool trained_ = false;
  std::mutex lock_of_end_;  // a process that is ended is so by another thread
  gossip::run_outline outline_;
  gossip::record last_;
  std::optional<folder_lock> lock_;
  std::optional<earlier_files> earlier_;
  std::optional<reserved_file> summary_;
  std::optional<gossip::json_lines> metrics_;
  std::optional<gossip::detail::line_file> nodes_;
  std::size_t count_of_nodes_ = 0;
};

}  // namespace simulate
