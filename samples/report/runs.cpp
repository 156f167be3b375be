#include "runs.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include <gossip/core/error.hpp>

#include "run_files.hpp"

namespace report {

namespace {

namespace files = std::filesystem;

/// Numbers of a line by name; those of an object as "accuracy.mean", null as NaN.
void take_numbers(json const &from, std::string const &prefix, run &to) {
  for (auto const &[name, value] : from.items()) {
    if (value.is_object()) {
      take_numbers(value, prefix + name + ".", to);
    } else if (value.is_number()) {
      auto &column = to.columns[prefix + name];
      column.resize(to.observations, std::numeric_limits<double>::quiet_NaN());
      column.push_back(value.get<double>());
    }
  }
}

void read_observations(files::path const &path, run &to) {
  each_observation(path.string(), [&](std::string const &, json const &observation) {
    take_numbers(observation, "", to);
    ++to.observations;
  });
  for (auto &[name, column] : to.columns)
    column.resize(to.observations, std::numeric_limits<double>::quiet_NaN());
}

/// The folder's own name, of "." and "x/" too.
std::string name_of(files::path const &folder) {
  std::error_code code;
  files::path whole = files::absolute(folder, code).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return code || whole.filename().empty() ? folder.string() : whole.filename().string();
}

/// Program and files that a run depends on, for comparison with others: {"gossip", "commit",
/// "files": {path: digest}}; null where there is no such file.
json identity_in(files::path const &folder) {
  std::string const path = (folder / "identity.json").string();
  if (!is_there(path)) return nullptr;
  json const read = object_of(path);
  json identity{{"gossip", read.value("gossip", json())}, {"commit", read.value("commit", json())}};
  for (json const &file : read.value("files", json::array()))
    if (file.is_object() && file.value("path", json()).is_string())
      identity["files"][file["path"].get<std::string>()] = file.value("digest", json());
  return identity;
}

run run_in(files::path const &folder) {
  run r{.name = name_of(folder),
        .folder = folder.string(),
        .config = object_of((folder / "config.json").string()),
        .identity = identity_in(folder),
        .summary = {},
        .columns = {}};
  read_observations(folder / "metrics.jsonl", r);
  if (is_there(folder / "summary.json")) r.summary = object_of((folder / "summary.json").string());
  return r;
}

/// The cells of a row as RFC 4180 has them, from the place on, which moves behind it.
std::vector<std::string> next_row(std::string const &text, std::size_t &at) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    char const c = text[at];
    if (quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"')
      cells.back() += text[++at];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c == '\n' && !quoted)
      break;
    else if (c != '\r' || quoted)
      cells.back() += c;
  }
  ++at;
  return cells;
}

/// Runs that a sweep's table says have failed, in its order.
std::vector<failed_run> failures_in(files::path const &path) {
  std::string const text = text_of(path.string());
  std::size_t at = 0;
  std::vector<failed_run> failed;
  auto const header = next_row(text, at);
  if (header.front() != "run" || header.back() != "error")
    throw gossip::input_error(path.string() + ":1", "columns from run to error",
                              beginning(text.substr(0, text.find('\n'))));
  for (std::size_t row = 2; at < text.size(); ++row) {
    auto const cells = next_row(text, at);
    if (cells.size() != header.size())
      throw gossip::input_error(path.string() + ", row " + std::to_string(row),
                                std::to_string(header.size()) + " cells",
                                std::to_string(cells.size()));
    if (!cells.back().empty()) failed.push_back({cells.front(), cells.back()});
  }
  return failed;
}

void take_sweep(files::path const &folder, run_list &to) {
  auto failed = failures_in(folder / "results.csv");
  std::vector<files::path> folders;
  std::error_code code;
  for (auto const &entry : files::directory_iterator(folder, code))
    if (is_there(entry.path() / "config.json")) folders.push_back(entry.path());
  if (code) throw gossip::input_error(folder.string(), "a readable folder", code.message());
  std::sort(folders.begin(), folders.end());
  std::size_t const before = to.runs.size();
  for (files::path const &one : folders) {
    std::string const name = name_of(one);
    auto const same = [&](failed_run const &f) { return f.name == name; };
    if (std::any_of(failed.begin(), failed.end(), same)) continue;
    run r = run_in(one);
    if (r.observations > 0)
      to.runs.push_back(std::move(r));
    else
      failed.push_back({name, "has no observations yet"});
  }
  if (to.runs.size() == before)
    throw gossip::input_error(folder.string(), "a sweep with at least one observed run",
                              failed.empty() ? "no runs" : failed.front().sentence);
  to.failed.insert(to.failed.end(), failed.begin(), failed.end());
}

}  // namespace

double run::value(std::string const &column, std::size_t observation) const {
  auto const found = columns.find(column);
  return found != columns.end() && observation < found->second.size()
             ? found->second[observation]
             : std::numeric_limits<double>::quiet_NaN();
}

json run::what() const {
  json all = config;
  if (!identity.is_null()) all["identity"] = identity;
  return all;
}

run_list runs_in(std::vector<std::string> const &folders) {
  run_list all;
  for (std::string const &folder : folders) {
    std::error_code ignored;
    files::path const path = folder;
    if (!files::is_directory(path, ignored))
      throw gossip::input_error(folder, "a folder of gossip-simulate",
                                is_there(path) ? "a file" : "nothing there");
    if (is_there(path / "results.csv")) {
      take_sweep(path, all);
      continue;
    }
    if (!is_there(path / "config.json"))
      throw gossip::input_error(
          folder, "a run's folder, with config.json, or a sweep's, with results.csv",
          is_there(path / "plan.json") ? "plan.json of a dry run" : "neither");
    all.runs.push_back(run_in(path));
    if (all.runs.back().observations == 0)
      throw gossip::input_error((path / "metrics.jsonl").string(), "at least one observation",
                                "an empty file");
  }
  return all;
}

}  // namespace report
