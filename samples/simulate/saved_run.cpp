#include "saved_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/simulator/run_state.hpp>

#include "assembly.hpp"
#include "earlier_files.hpp"
#include "identity.hpp"
#include "interruption.hpp"
#include "preparation.hpp"
#include "whole_file.hpp"

namespace simulate {

namespace {

namespace fs = std::filesystem;

/// Members of a configuration that do not change what a run computes.
constexpr char const *free_members[] = {"/threads", "/checkpoint", "/checkpoint/epochs",
                                        "/checkpoint/rounds", "/checkpoint/time"};

gossip::checkpoints::period period_of_checkpoints(json const &c) {
  if (c.contains("epochs")) return gossip::epochs{c["epochs"].get<double>()};
  if (c.contains("rounds")) return gossip::rounds{c["rounds"].get<std::uint64_t>()};
  auto const time = gossip::parse_duration(c["time"].get<std::string>());
  if (time < std::chrono::seconds(1))
    throw gossip::input_error("checkpoint", "a time of at least 1s", c["time"].get<std::string>());
  return std::chrono::ceil<std::chrono::seconds>(time);
}

std::string words_of_period(json const &c) {
  if (c.contains("time")) return c["time"].get<std::string>();
  char const *const unit = c.contains("epochs") ? "epochs" : "rounds";
  return c[unit].dump() + " " + unit;
}

[[noreturn]] void refuse_no_run(std::string const &folder) {
  throw gossip::input_error("--resume --out " + folder,
                            "a folder with the sweep.json of an earlier sweep or the config.json "
                            "of an earlier run",
                            "none");
}

std::uint64_t bytes_in(std::string const &folder) {
  std::uint64_t sum = 0;
  std::error_code ignored;
  for (auto const &one : fs::recursive_directory_iterator(folder, ignored))
    if (one.is_regular_file(ignored)) sum += one.file_size(ignored);
  return sum;
}

/// The end that the summary in a folder tells; "" where it tells none.
std::string end_in(std::string const &folder) {
  json const summary = read_json(folder + "/summary.json");
  return summary.is_object() ? summary.value("ended", "") : "";
}

bool is_end(std::string const &ended) {
  return ended == "done" || ended == "stopped" || ended == "diverged";
}

/// True: the folder has a note of each shard, readable or not. The checkpoint was whole once.
bool has_all_notes(std::string const &folder) {
  std::error_code ignored;
  std::map<std::size_t, std::size_t> found;  // by numbers of shards
  for (auto const &one : fs::directory_iterator(folder, ignored)) {
    std::string const name = one.path().filename().string();
    gossip::shard_number number;
    if (std::sscanf(name.c_str(), "shard-%zu-of-%zu.json", &number.rank, &number.ranks) == 2 &&
        name == number.name() + ".json")
      ++found[number.ranks];
  }
  return std::any_of(found.begin(), found.end(),
                     [](auto const &set) { return set.second == set.first; });
}

}  // namespace

bool has_checkpoint(std::string const &folder) {
  std::string const all = folder + "/checkpoints";
  auto const windows = gossip::detail::checkpoint_windows(all);
  return std::any_of(windows.begin(), windows.end(), [&](std::uint64_t window) {
    return has_all_notes(gossip::detail::checkpoint_folder(all, window));
  });
}

bool has_ended(std::string const &folder) {
  return is_end(end_in(folder));
}

std::string config_to_resume(std::string const &folder) {
  std::error_code ignored;
  for (char const *name : {"/sweep.json", "/config.json"})
    if (fs::exists(folder + name, ignored)) return folder + name;
  refuse_no_run(folder);
}

saved_run::saved_run(arguments const &given, configuration const &config, model const &m,
                     job const &j, last_minute &patience)
    : folder_(given.out),
      resumes_(given.resume),
      each_node_(config["/evaluate/each_node"].get<bool>()),
      ranks_(j.world ? j.world->size() : 1),
      patience_(patience),
      grace_(given.grace) {
  json const every = config["/checkpoint"];
  if (!every.is_null() && folder_.empty())
    throw gossip::input_error("checkpoint", "--out DIR, the folder of the run", "none");
  if (given.resume) {
    on_root(j.world, [&] { require_same_run(given, config, j); });
    std::size_t const nodes = j.topology.network->nodes();
    load(trainings_of(j, nodes, m.learns_from_samples), nodes);
  }
  if (every.is_null() && grace_) throw gossip::input_error("--grace", "--checkpoint EVERY", "none");
  if (every.is_null()) return;
  period_ = words_of_period(every);
  writes_.emplace(checkpoints_folder(), period_of_checkpoints(every), &asked_to_end(), &ended_);
}

void saved_run::require_same_run(arguments const &given, configuration const &config,
                                 job const &j) {
  json const before = read_json(folder_ + "/config.json");
  if (!before.is_object()) refuse_no_run(folder_);
  bool has_other_stop = false;
  for (std::string const &name : differing(config.complete(), before)) {
    bool const is_free =
        std::find(std::begin(free_members), std::end(free_members), name) != std::end(free_members);
    has_other_stop |= name.starts_with("/stop");
    if (!is_free && !name.starts_with("/stop"))
      throw gossip::input_error(option(), "the run that config.json there describes",
                                "a run that differs from it in " + name);
  }
  std::string const ended = end_in(folder_);
  if (is_end(ended) && !(ended == "done" && has_other_stop))
    throw gossip::input_error(
        option(),
        ended == "done" ? "a run that has not ended, or a later /stop" : "a run that has not ended",
        "a run that is " + ended);
  if (has_other_stop && j.rate_follows_length)
    throw gossip::input_error(option(), "the same /stop, since the rate follows it",
                              "another /stop, and a schedule as long as the run");
  identity_check check(option(), given.resume_elsewhere);
  json const identity = read_json(folder_ + "/identity.json");
  check.require_same(folder_, identity);
  if (check.other_machines().empty()) return;
  machines_ = identity.value("earlier_machines", json::array());
  machines_.push_back(identity["machine"]);
}

/// A process that was ended while it wrote its first checkpoint leaves none that was ever whole:
/// the run begins anew.
void saved_run::load(std::uint64_t trainings, std::size_t nodes) {
  bool const is_done = end_in(folder_) == "done";
  auto const check = [&](gossip::checkpoint const &one) {
    std::uint64_t const before = one.list<std::uint64_t>("run/trainings").at(0);
    std::string const place =
        gossip::detail::checkpoint_folder(checkpoints_folder(), one.windows());
    if (before > trainings || (is_done && before == trainings))
      throw gossip::input_error(
          place,
          "a run of more than its " + std::to_string(before) + " node-iterations, by a later /stop",
          "one of " + std::to_string(trainings));
    gossip::detail::require_before_end(place, before, one.node_iterations(), trainings, nodes);
  };
  if (has_checkpoint(folder_)) {
    from_ = gossip::newest_checkpoint(checkpoints_folder(), &passed_over_, check);
    return;
  }
  json const before = read_json(folder_ + "/config.json");
  if (is_done || !before.contains("checkpoint") || before["checkpoint"].is_null())
    throw gossip::input_error(option(), "a run with checkpoints, or --overwrite, which begins anew",
                              "one without");
}

void saved_run::attach(watcher &watch, std::optional<run_folder> &folder,
                       std::function<void(std::string const &)> tell) {
  if (!writes_ && !from_) return;
  watch.name_written = [this, &folder](gossip::state_visitor const &visit) {
    run_folder::name_state(folder, each_node_, visit);
  };
  if (writes_)
    watch.window_ended = [this, tell = std::move(tell)](gossip::window_end const &now) {
      if (began_) tell_of_windows(tell);
      last_minute::long_work const writing(patience_);
      writes_->window_ended(now);
    };
}

std::vector<json> saved_run::lines_before() const {
  std::vector<json> all;
  if (!from_) return all;
  std::ifstream file(folder_ + "/metrics.jsonl");
  std::int64_t bytes = from_->list<std::int64_t>("observers/0/metrics.jsonl/bytes").at(0);
  for (std::string line; bytes > 0 && std::getline(file, line);) {
    bytes -= static_cast<std::int64_t>(line.size()) + 1;
    all.push_back(json::parse(line));
  }
  return all;
}

std::vector<std::string> saved_run::news() const {
  std::vector<std::string> all;
  for (std::string const &reason : passed_over_) all.push_back("passed over   " + reason);
  for (json const &one : machines_)
    all.push_back("remark        was on " + one.value("processor", "a processor without a name") +
                  " before: its digest is not comparable with digests of other runs");
  if (from_)
    all.push_back("goes on       from epoch " + gossip::detail::shortest(from_->epoch()) +
                  ", after " + std::to_string(from_->node_iterations()) + " node-iterations");
  else if (resumes_)
    all.push_back("begins anew   no checkpoint had been written");
  return all;
}

std::vector<std::string> saved_run::lines(gossip::run_outline const &outline) const {
  auto all = news();
  if (!writes_) return all;
  all.push_back("checkpoints   every " + period_ + " in " + checkpoints_folder() + ", " +
                gossip::format_bytes(bytes_) + " each; the run " +
                (outline.memory.copy > 0 ? "goes on" : "waits") + " while one is written");
  return all;
}

void saved_run::prepare(model const &m, job &j) {
  j.settings.state = from_.get();
  j.settings.interrupt = writes_ ? &ended_ : &asked_to_end();
  if (!writes_) return;
  gossip::graph const &network = *j.topology.network;
  gossip::memory_need const need = m.memory(j, network.nodes(), network.edges());
  bytes_ = (need.stored > 0 ? need.stored : need.rows) * ranks_;
  on_root(j.world, [this] { require_space(); });
}

void saved_run::require_space() const {
  std::uint64_t const needed = 3 * bytes_;
  std::uint64_t const there = resumes_ ? bytes_in(checkpoints_folder()) : 0;
  std::error_code unknown;
  fs::space_info const disk = fs::space(existing_part(folder_), unknown);
  if (!unknown && needed > there && disk.available < needed - there)
    throw gossip::input_error("checkpoint",
                              gossip::format_bytes(needed - there) + " free in " + folder_ +
                                  ", three checkpoints of " + gossip::format_bytes(bytes_),
                              gossip::format_bytes(disk.available));
}

/// The first window, from its first level on, has ended.
void saved_run::tell_of_windows(std::function<void(std::string const &)> const &tell) {
  constexpr double long_seconds = 10;
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - *began_;
  began_.reset();
  if (taken.count() < long_seconds) return;
  tell("remark        a window of the plan takes about " +
       std::to_string(std::llround(taken.count())) +
       " s: at its end a run is saved, and ends where it is asked to");
}

void saved_run::level() {
  if (!std::exchange(has_begun_, true)) began_ = std::chrono::steady_clock::now();
  if (!writes_ || !grace_ || !asked_to_end()) return;
  auto const now = std::chrono::steady_clock::now();
  if (!asked_) asked_ = now;
  if (now - *asked_ >= *grace_) ended_ = true;
}

std::string saved_run::way_on(arguments const &given) const {
  if (!from_ && !writes_) return "";
  return "; " + option() + (given.export_mean ? " --export mean" : "") +
         (given.export_nodes ? " --export nodes" : "") + " goes on";
}

}  // namespace simulate
