#include "run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>
#include <gossip/simulator/trace.hpp>

#include "nodes_json.hpp"
#include "whole_file.hpp"

namespace simulate {

void refuse_earlier_files(std::string const &path, folder_use use) {
  std::vector<char const *> names{"config.json", "metrics.jsonl", "summary.json"};
  if (use == folder_use::dry_run) names = {"plan.json", "trace.json"};
  if (use == folder_use::sweep) names = {"sweep.json", "results.csv"};
  std::string found;
  std::error_code ignored;
  for (char const *name : names)
    if (std::filesystem::exists(std::filesystem::symlink_status(path + "/" + name, ignored)))
      found += (found.empty() ? "" : ", ") + std::string(name);
  if (!found.empty())
    throw gossip::input_error("--out " + path, "a folder without an earlier run, or --overwrite",
                              found);
}

void remove_models(std::string const &path) {
  std::error_code ignored;
  std::filesystem::remove(path + "/mean.safetensors", ignored);
  std::vector<std::filesystem::path> found;
  for (auto const &one : std::filesystem::directory_iterator(path + "/nodes", ignored))
    if (one.path().extension() == ".safetensors") found.push_back(one.path());
  for (auto const &one : found) std::filesystem::remove(one, ignored);
  std::filesystem::remove(path + "/nodes", ignored);  // if nothing else is in it
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
                 {"host", r.memory.host}};
  j["state_bytes_per_node"] = r.state_bytes_per_node;
  j["ranks"] = r.ranks;
  if (r.ranks > 1)
    j["division"] = {
        {"smallest", r.division.smallest},   {"largest", r.division.largest},
        {"balance", r.division.balance()},   {"cut_edges", r.division.cut},
        {"most_halo", r.division.most_halo}, {"bytes_a_rank_a_round", r.bytes_a_rank_a_round()}};
  j["planning_seconds"] = r.planning_seconds;
  j["planned_per_second"] = r.node_iterations_per_second();
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
                            "one that is being written");
}

folder_lock::~folder_lock() {
  close(folder_);
}

run_folder::run_folder(std::string path, json const &config, bool overwrite)
    : path_(std::move(path)) {
  make_folder(path_);
  lock_.emplace(path_);
  if (!overwrite) refuse_earlier_files(path_, folder_use::run);
  std::error_code code;
  for (char const *name :
       {"summary.json", "metrics.jsonl", "graph.json", "nodes.jsonl", "graph.graphml"})
    std::filesystem::remove(path_ + "/" + name, code);
  remove_models(path_);
  write_whole(path_ + "/config.json", config.dump(2) + "\n");
  metrics_.emplace(path_ + "/metrics.jsonl");
}

void run_folder::keep_nodes(gossip::graph const &network) {
  write_whole(path_ + "/graph.json", graph_json(network));
  nodes_.emplace(path_ + "/nodes.jsonl", O_TRUNC);
  count_of_nodes_ = network.nodes();
}

void run_folder::take(gossip::record const &r, gossip::node_scores const &scores) {
  metrics_->take(r);
  if (nodes_) nodes_->append(nodes_line(r, scores, count_of_nodes_));
}

std::string run_folder::names_of_files() const {
  std::string names("config.json, metrics.jsonl, summary.json");
  if (nodes_) names += ", graph.json, nodes.jsonl";
  std::error_code ignored;
  for (char const *name : {"graph.graphml", "mean.safetensors", "nodes/"})
    if (std::filesystem::exists(path_ + "/" + name, ignored)) names += ", " + std::string(name);
  return names;
}

void run_folder::finish(gossip::run_report const &report) const {
  write_whole(path_ + "/summary.json", gossip::to_json(report).dump(2) + "\n");
}

}  // namespace simulate
