#include "run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <new>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>
#include <gossip/simulator/trace.hpp>

#include "interruption.hpp"
#include "nodes_json.hpp"

namespace simulate {

void refuse_earlier_files(std::string const &path, folder_use use) {
  std::vector<std::string> names{"earlier.part", "sweep.json", "results.csv"};
  std::vector<std::string> const of_runs{"config.json", "metrics.jsonl", "summary.json",
                                         "checkpoints"};
  std::vector<std::string> const of_plans{"plan.json", "trace.json"};
  auto const &more = use == folder_use::dry_run ? of_plans : of_runs;
  names.insert(names.end(), more.begin(), more.end());
  std::string found;
  std::error_code ignored;
  for (std::string const &name : names)
    if (std::filesystem::exists(std::filesystem::symlink_status(path + "/" + name, ignored)))
      found += (found.empty() ? "" : ", ") + name;
  if (!found.empty())
    throw gossip::input_error("--out " + path, "a folder without an earlier run, or --overwrite",
                              found);
}

json to_json(gossip::plan_report const &r, json const &config, std::string const &refusal,
             json const &measured) {
  json j;
  j["gossip"] = gossip::version;
  j["graph"] = gossip::to_json(r.graph);
  j["nodes"] = r.nodes;
  j["parameters"] = r.parameters;
  j["node_iterations"] = r.node_iterations;
  j["epochs"] = r.epochs;
  j["virtual_seconds"] = r.virtual_seconds;
  j["epoch_seconds"] = r.epoch_seconds;
  j["bytes_sent"] = r.bytes_sent;
  j["mean_cohort"] = r.mean_cohort;
  j["time_in_training"] = {
      {"mean", r.use.training}, {"least", r.use.least_training}, {"of_node", r.use.least_trained}};
  j["staleness"] = nullptr;  // no node steps by gradients of its own
  if (r.staleness.total() > 0)
    j["staleness"] = {{"mean", r.staleness.mean()}, {"largest", r.staleness.largest()}};
  for (std::size_t b = 0; r.staleness.total() > 0 && b < gossip::staleness_counts::bins; ++b)
    j["staleness"]["counts"].push_back(r.staleness[b]);
  if (!measured.is_null()) j["live_run"] = measured;
  j["most_sent"] = {{"owner", r.use.sends_most}, {"bytes", r.use.most_sent}};
  j["busiest_link"] = {{"from", r.use.busiest.from},
                       {"to", r.use.busiest.to},
                       {"bytes", r.use.busiest.bytes},
                       {"share", r.use.busiest_share}};
  j["memory"] = {{"total", r.memory.total()},   {"rows", r.memory.rows},
                 {"working", r.memory.working}, {"data", r.memory.data},
                 {"plan", r.memory.plan},       {"model", r.memory.model},
                 {"copy", r.memory.copy},       {"host", r.memory.host},
                 {"device", r.memory.device},   {"stored", r.memory.stored}};
  j["state_bytes_per_node"] = r.state_bytes_per_node;
  if (r.memory.stored > 0)
    j["rows_of_a_training"] = {{"read", r.rows_read}, {"written", r.rows_written}};
  j["ranks"] = r.ranks;
  if (r.ranks > 1)
    j["division"] = {
        {"smallest", r.division.smallest},   {"largest", r.division.largest},
        {"balance", r.division.balance()},   {"cut_edges", r.division.cut},
        {"most_halo", r.division.most_halo}, {"bytes_a_rank_a_round", r.bytes_a_rank_a_round()}};
  j["planning_seconds"] = r.planning_seconds;
  j["planned_per_second"] = r.node_iterations_per_second();
  j["remarks"] = r.remarks;
  j["refused"] = refusal.empty() ? json(nullptr) : json(refusal);
  j["config"] = config;
  return j;
}

std::string write_plan(std::string const &path, gossip::plan_report const &report,
                       json const &config, std::string const &refusal, json const &measured) {
  make_folder(path);
  write_whole(path + "/plan.json", to_json(report, config, refusal, measured).dump(2) + "\n");
  if (report.use.traced == 0) {
    std::error_code ignored;
    std::filesystem::remove(path + "/trace.json", ignored);  // of an earlier plan
    return "plan.json";
  }
  std::ostringstream trace;
  gossip::write_trace(trace, report.use);
  write_whole(path + "/trace.json", std::move(trace).str());
  return "plan.json, trace.json";
}

// No file that a crash could leave: the system gives the folder back with the process.
folder_lock::folder_lock(std::string const &path)
    : folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) refuse_to_write(path, errno);
  if (flock(folder_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(folder_);
  throw gossip::input_error("--out " + path, "a folder that no other run is writing",
                            "a folder that a run is writing");
}

folder_lock::~folder_lock() {
  close(folder_);
}

run_folder::run_folder(std::string path, bool replaces)
    : path_(std::move(path)), replaces_(replaces) {
  if (!replaces_) refuse_earlier_files(path_, folder_use::run);
  require_writable(path_);
}

run_folder::~run_folder() {
  if (!touched_ || ended_) return;  // else: the run was refused before it has trained
  metrics_.reset();
  nodes_.reset();
  summary_.reset();
  if (goes_on_) return;
  if (earlier_) earlier_->restore(files_of_run(path_));
  lock_.reset();
  std::error_code ignored;
  if (made_) std::filesystem::remove(path_, ignored);  // if nothing else is in it
}

void run_folder::begin(json const &config, json const &identity,
                       std::vector<std::string> const &replaced) {
  std::error_code ignored;
  made_ = !std::filesystem::exists(path_, ignored);
  make_folder(path_);
  touched_ = true;
  lock_.emplace(path_);
  if (!replaces_) refuse_earlier_files(path_, folder_use::run);
  overwritten_ = difference_from_earlier(path_, config, identity);
  auto earlier = files_of_run(path_);
  earlier.insert(earlier.end(), replaced.begin(), replaced.end());
  earlier_.emplace(path_, earlier);
  std::filesystem::remove_all(path_ + "/checkpoints", ignored);  // empty folders
  write_whole(path_ + "/identity.json", identity.dump(2) + "\n");
  write_whole(path_ + "/config.json",
              config.dump(2) + "\n");  // the last: a run can go on from here
  open();
  metrics_.emplace(path_ + "/metrics.jsonl");
}

void run_folder::go_on(bool with_lines, json const &config) {
  touched_ = goes_on_ = true;
  config_ = config;
  with_lines_ = with_lines;
  earlier_.emplace(path_, std::vector<std::string>{});  // of a run that this one took the place of
  open();
  std::string const metrics = path_ + "/metrics.jsonl";
  if (!with_lines) {
    std::error_code ignored;
    std::filesystem::remove_all(path_ + "/checkpoints", ignored);  // of which none is whole
    metrics_.emplace(metrics);
  } else if (std::filesystem::exists(metrics)) {
    metrics_.emplace(gossip::json_lines::resumed(metrics));
  } else {
    throw gossip::input_error(path_, "the metrics.jsonl of the run that goes on", "none");
  }
}

void run_folder::open() {
  constexpr std::size_t summary_bytes = 16384;  // more than one of a run of fifty ranks takes
  summary_.emplace(path_ + "/summary.json", summary_bytes);
  began_ = true;
}

void run_folder::name_state(std::optional<run_folder> &folder, bool each_node,
                            gossip::state_visitor const &visit) {
  auto const metrics = visit.within("metrics.jsonl"), nodes = visit.within("nodes.jsonl");
  std::int64_t none = 0;
  folder ? folder->metrics_->name_state(metrics) : metrics.value("bytes", none);
  if (each_node) folder ? folder->nodes_->name_state(nodes) : nodes.value("bytes", none);
}

void run_folder::trains() {
  if (std::exchange(trained_, true)) return;
  std::error_code ignored;
  if (!goes_on_) return;
  std::filesystem::remove(path_ + "/summary.json", ignored);
  remove_files(path_, models_of_run(path_));
  if (!config_.is_null()) write_whole(path_ + "/config.json", config_.dump(2) + "\n");
}

void run_folder::keep_nodes(gossip::graph const &network) {
  write_whole(path_ + "/graph.json", graph_json(network));
  nodes_.emplace(path_ + "/nodes.jsonl", with_lines_ ? O_APPEND : O_TRUNC);
  count_of_nodes_ = network.nodes();
}

void run_folder::take(gossip::record const &r, gossip::node_scores const &scores) {
  last_ = r;
  metrics_->take(r);
  if (nodes_) nodes_->append(nodes_line(r, scores, count_of_nodes_));
}

std::string run_folder::names_of_files() const {
  std::string names("config.json, identity.json, metrics.jsonl, summary.json");
  if (nodes_) names += ", graph.json, nodes.jsonl";
  std::error_code ignored;
  for (char const *name : {"graph.graphml", "mean.safetensors", "nodes/", "checkpoints/"})
    if (std::filesystem::exists(path_ + "/" + name, ignored)) names += ", " + std::string(name);
  return names;
}

void run_folder::finish(gossip::run_report const &report, std::string const &sentence) {
  json summary = gossip::to_json(report);
  if (!sentence.empty()) summary["sentence"] = sentence;
  end(summary);
}

void run_folder::fail(std::exception const &fault) {
  bool const trained = trained_ || last_.mark.node_iterations > 0;
  bool const refused = dynamic_cast<gossip::input_error const *>(&fault) && !trained;
  if (!began_ || ended_ || refused) return;
  gossip::run_report known;
  known.nodes = outline_.nodes;
  known.parameters = outline_.parameters;
  known.ranks = outline_.ranks;
  known.graph = outline_.graph;
  known.announced = outline_.memory;
  known.node_iterations = last_.mark.node_iterations;
  known.virtual_seconds = static_cast<double>(last_.mark.time.count()) * 1e-9;
  known.bytes_sent = last_.mark.bytes_sent;
  known.wall_seconds = last_.wall_seconds;
  known.last = last_;
  json summary = gossip::to_json(known);
  summary["digest"] = nullptr;
  summary["ended"] = end_of(fault);
  summary["sentence"] = fault.what();
  end(summary);
}

void run_folder::end(json const &summary) {
  std::lock_guard const turn(lock_of_end_);
  if (ended_) return;
  trains();
  // A sentence may quote a file's bytes.
  summary_->write(summary.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  ended_ = true;
  earlier_->remove();
}

char const *end_of(std::exception const &fault) {
  auto const *const unwritten = dynamic_cast<gossip::write_error const *>(&fault);
  if (unwritten && unwritten->disk_is_full()) return "out of disk";
  if (dynamic_cast<gossip::diverged const *>(&fault)) return "diverged";
  if (dynamic_cast<std::bad_alloc const *>(&fault)) return "out of memory";
  if (dynamic_cast<not_ended const *>(&fault)) return "interrupted";
  return "failed";
}

}  // namespace simulate
