#include "sweep.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <gossip/backend/cpu/blas.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/observer/json.hpp>

#include "preparation.hpp"
#include "run_folder.hpp"
#include "sweep_display.hpp"
#include "sweep_results.hpp"
#include "sweep_shares.hpp"
#include "whole_file.hpp"

namespace simulate {

namespace {

namespace fs = std::filesystem;

/// A run of the sweep, as far as it is known before it begins.
struct candidate {
  std::optional<configuration> config;  // none where it has been refused
  std::string failure;
  bool finished = false;    // by an earlier process
  std::size_t threads = 0;  // as the configuration says; 0: open
  std::size_t bytes = 0;    // of memory; 0: not known before the graph is there
};

candidate candidate_of(arguments const &given, swept_values const &values) {
  candidate made;
  try {
    configuration const config(given.config, given.settings, values);
    try {
      job j = job_of(config);
      model const &m = model_of(config);
      made.threads = j.threads;
      j.threads = std::max<std::size_t>(1, j.threads);  // where runs are side by side
      if (auto const need = memory_of(config, m, j)) made.bytes = need->total();
    } catch (gossip::input_error const &fault) {
      throw config.located(fault);
    }
    made.config = config;
  } catch (gossip::input_error const &fault) {
    made.failure = fault.what();
  }
  return made;
}

/// What a running f() throws, as a sentence; "" where it throws nothing.
template <class F>
std::string failure_of(configuration const &config, F f) {
  try {
    f();
  } catch (gossip::input_error const &fault) {
    return config.located(fault).what();
  } catch (std::bad_alloc const &) {
    return "memory: there is not enough for this run";
  } catch (std::exception const &fault) {
    return fault.what();
  }
  return "";
}

/// The JSON in a file; discarded where there is none.
json read_json(std::string const &path) {
  std::ifstream file(path);
  return json::parse(file, nullptr, false);
}

/// Throws input_error where the sweep that a folder holds is not this one.
void require_same_sweep(std::string const &path, json const &wanted) {
  std::string const file = path + "/sweep.json", option = "--resume --out " + path;
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    throw gossip::input_error(option, "a folder with the sweep.json of an earlier sweep", "none");
  json const there = read_json(file);
  if (there == wanted) return;
  std::string where = "no JSON";
  if (!there.is_discarded()) where = json::diff(there, wanted).at(0).at("path").get<std::string>();
  throw gossip::input_error(
      option, "the sweep that sweep.json there describes",
      "one that differs from it" + (there.is_discarded() ? ": it is no JSON" : " in " + where));
}

/// The observations of a run that an earlier process has finished; nothing where none has, the
/// files there are not those of this configuration, or an export that is asked for is not there.
std::vector<json> finished_run(fs::path const &folder, configuration const &config,
                               arguments const &given) {
  std::vector<json> lines;
  std::error_code ignored;
  if (given.export_mean && !fs::exists(folder / "mean.safetensors", ignored)) return {};
  if (given.export_nodes && !fs::exists(folder / "nodes", ignored)) return {};
  if (given.export_graph && !fs::exists(folder / "graph.graphml", ignored)) return {};
  json const summary = read_json((folder / "summary.json").string());
  if (!summary.is_object() || summary.value("interrupted", true)) return {};
  if (read_json((folder / "config.json").string()) != config.complete()) return {};
  std::ifstream file(folder / "metrics.jsonl");
  for (std::string line; std::getline(file, line);) {
    lines.push_back(json::parse(line, nullptr, false));
    if (!lines.back().is_object()) return {};
  }
  return lines;
}

/// Removes the runs of the sweep that the folder's sweep.json describes, and no others.
void remove_earlier_runs(std::string const &path) {
  std::error_code ignored;
  std::string const file = path + "/sweep.json";
  if (!fs::exists(fs::symlink_status(file, ignored))) return;
  auto const fields = swept_fields(file, sweep_in(file), {}, {});
  auto const values = combinations(fields);
  for (std::size_t k = 0; k < values.size(); ++k) {
    fs::path const folder = fs::path(path) / folder_name(k, values.size(), fields, values[k]);
    if (!fs::is_directory(fs::symlink_status(folder, ignored))) continue;
    folder_lock const lock(folder.string());
    for (char const *name : {"config.json", "metrics.jsonl", "summary.json", "plan.json",
                             "graph.json", "nodes.jsonl", "graph.graphml"})
      fs::remove(folder / name, ignored);
    remove_models(folder.string());
    fs::remove(folder, ignored);  // if nothing else is in it
  }
}

class sweep_runner {
 public:
  sweep_runner(arguments const &given, std::vector<swept_field> const &fields,
               std::atomic<bool> const &interrupt)
      : given_(given),
        fields_(fields),
        values_(combinations(fields)),
        interrupt_(interrupt),
        display_(given.quiet, values_.size()) {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      candidates_.push_back(candidate_of(given, values_[k]));
      names_.push_back(folder_name(k, values_.size(), fields, values_[k]));
      if (candidates_.back().config) data_.announce(*candidates_.back().config);
    }
    if (std::ranges::none_of(candidates_, [](auto const &c) { return c.config.has_value(); }))
      throw gossip::input_error(candidates_.front().failure);
    if (!given.best.empty()) best_ = best_field_of(given.best, fields);
    plans_.resize(values_.size());
    share_machine();
    claim_folder();
  }

  int run() {
    if (!given_.dry_run) advise_on_kernels();
    gossip::blas::single_thread const guard;  // those of the runs change nothing then
    if (!given_.quiet)
      std::cout << values_.size() << " runs, " << at_once_
                << (at_once_ == 1 ? " at a time with " : " side by side with ") << threads_
                << (threads_ == 1 ? " thread" : " threads each")
                << (given_.resume ? "; " + std::to_string(kept_) + " were finished before" : "")
                << '\n'
                << std::endl;
    {
      std::vector<std::jthread> workers;
      for (std::size_t w = 0; w < at_once_; ++w) workers.emplace_back([this] { work(); });
    }
    display_.close();
    if (stopped_by_) std::rethrow_exception(stopped_by_);
    return report();
  }

 private:
  /// As many runs at once as cores and memory allow; cores are shared evenly.
  void share_machine() {
    auto const cores = static_cast<std::size_t>(omp_get_max_threads());
    std::size_t bytes = 1, wanted = 0, able = 0;
    for (candidate const &c : candidates_) {
      bytes = std::max(bytes, c.bytes);
      wanted = std::max(wanted, c.threads);
      able += c.config.has_value();
    }
    std::size_t const at_once = wanted == 0 ? cores : std::max<std::size_t>(1, cores / wanted);
    std::size_t const fit = std::max<std::size_t>(1, gossip::available_memory() / bytes);
    at_once_ = std::min({at_once, fit, able});
    threads_ = wanted == 0 ? std::max<std::size_t>(1, cores / at_once_) : wanted;
  }

  /// Before anything is computed: the folder, sweep.json, the head of results.csv.
  void claim_folder() {
    std::string table;
    if (!given_.out.empty()) {
      if (given_.resume) require_same_sweep(given_.out, repeated());
      make_folder(given_.out);
      lock_.emplace(given_.out);
      if (!given_.overwrite && !given_.resume) refuse_earlier();
      if (!given_.dry_run) {
        if (given_.overwrite) remove_earlier_runs(given_.out);
        std::error_code ignored;
        fs::remove(given_.out + "/best.json", ignored);  // of earlier numbers
        write_whole(given_.out + "/sweep.json", repeated().dump(2) + "\n");
        table = given_.out + "/results.csv";
      }
    }
    results_.emplace(fields_, values_, names_, table);
    if (given_.resume) keep_finished();
  }

  /// Runs that are not trained again: their rows go to the new results.csv.
  void keep_finished() {
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (!candidates_[k].config) continue;
      auto const lines =
          finished_run(fs::path(given_.out) / names_[k], *candidates_[k].config, given_);
      if (lines.empty()) continue;
      for (json const &line : lines) results_->take(k, line);
      results_->finish(k, "");
      display_.keep(k);
      data_.release(*candidates_[k].config);
      candidates_[k].finished = true;
      ++kept_;
    }
  }

  void refuse_earlier() const {
    if (!given_.dry_run) refuse_earlier_files(given_.out, folder_use::sweep);
    for (std::string const &name : names_)
      refuse_earlier_files(given_.out + "/" + name,
                           given_.dry_run ? folder_use::dry_run : folder_use::run);
  }

  /// The configuration that repeats the sweep: what file and settings say, and the
  /// values of all.
  json repeated() const {
    auto const has = [](candidate const &c) { return c.config.has_value(); };
    json all = std::ranges::find_if(candidates_, has)->config->given();
    all["sweep"] = to_json(fields_);
    return all;
  }

  void work() {
    omp_set_num_threads(static_cast<int>(threads_));
    while (!interrupt_ && !stopped_) {
      std::size_t const k = next_++;
      if (k >= candidates_.size()) return;
      if (candidates_[k].finished) continue;
      try {
        run_one(k);
      } catch (...) {  // the folder cannot be written: nothing more can be kept
        std::lock_guard const turn(lock_of_results_);
        if (!stopped_by_) stopped_by_ = std::current_exception();
        stopped_ = true;
      }
    }
  }

  void run_one(std::size_t k) {
    auto const begin = std::chrono::steady_clock::now();
    candidate &c = candidates_[k];
    if (c.config) {
      c.failure = failure_of(*c.config, [&] { given_.dry_run ? plan(k) : train(k); });
      data_.release(*c.config);
    }
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "  %.1f s", taken.count());
    std::lock_guard const turn(lock_of_results_);
    results_->finish(k, c.failure);
    display_.finish(k, names_[k] + (c.failure.empty() ? results_->last_numbers(k) + seconds
                                                      : "  failed: " + c.failure));
  }

  /// f(model, job) of a run, once there is room for it.
  template <class F>
  void with_memory(std::size_t k, F f) {
    shared_memory::share const room(memory_, candidates_[k].bytes);
    prepared_run made = prepared(*candidates_[k].config, given_, std::nullopt, threads_);
    f(*made.of, made.work);
  }

  void plan(std::size_t k) {
    configuration const &config = *candidates_[k].config;
    with_memory(k, [&](model const &m, job const &j) {
      plans_[k] = m.plan(j);
      std::string const refusal = refusal_of(config, m, j, *plans_[k]);
      if (!given_.out.empty()) {
        std::string const folder = given_.out + "/" + names_[k];
        write_plan(folder, *plans_[k], config.complete(), refusal);
        export_graph(given_, folder, j);
      }
      if (!refusal.empty()) throw gossip::input_error(refusal);
    });
  }

  void train(std::size_t k) {
    configuration const &config = *candidates_[k].config;
    with_memory(k, [&](model const &m, job &j) {
      std::shared_ptr<data_pair const> data;
      if (m.learns_from_samples) data = data_.of(config);
      std::optional<run_folder> folder;
      if (!given_.out.empty())
        begin_folder(folder, given_.out + "/" + names_[k], config, given_, j);
      watcher watch = watcher_of(config);
      watch.models = exported(given_, given_.out + "/" + names_[k]);
      j.settings.interrupt = &interrupt_;
      double total = 1;
      watch.begin = [&](auto const &outline) {
        total = std::max(1.0, static_cast<double>(outline.node_iterations));
      };
      watch.tick = [&](auto const &mark, double) {
        std::lock_guard const turn(lock_of_results_);
        display_.progress(k, static_cast<double>(mark.node_iterations) / total);
      };
      watch.take = [&](auto const &r) {
        if (folder) folder->take(r, watch.scores);
        std::lock_guard const turn(lock_of_results_);
        results_->take(k, gossip::to_json(r));
      };
      gossip::run_report const report = trained(m, j, data.get(), watch);
      if (folder) folder->finish(report);
      if (report.interrupted)
        throw gossip::error("interrupted after " + std::to_string(report.node_iterations) +
                            " node-iterations");
    });
  }

  int report() const {
    std::size_t failed = 0, left = 0;
    for (candidate const &c : candidates_) failed += !c.failure.empty();
    for (std::size_t k = next_; k < candidates_.size(); ++k) left += !candidates_[k].finished;
    if (!given_.quiet) std::cout << '\n';
    if (given_.dry_run)
      print_plans();
    else
      print_results();
    if (!given_.out.empty() && !given_.dry_run)
      std::cout << "\nfiles  " << given_.out << "/results.csv, sweep.json, "
                << (best_ ? "best.json, " : "") << "a folder a run\n";
    std::cout.flush();
    if (failed > 0 || left > 0)
      std::cerr << failed << " of " << candidates_.size() << " runs failed"
                << (left > 0 ? ", " + std::to_string(left) + " were not begun" : "")
                << (interrupt_ && !given_.out.empty() && !given_.dry_run
                        ? "; --resume --out " + given_.out + " goes on"
                        : "")
                << '\n';
    return failed > 0 || left > 0 ? 1 : 0;
  }

  /// Writes best.json too, where it is asked for.
  void print_results() const {
    results_->print_summary(std::cout);
    if (!best_) return;
    results_->print_best(std::cout, *best_);
    if (!given_.out.empty())
      write_whole(given_.out + "/best.json", results_->best(*best_).dump(2) + "\n");
  }

  void print_plans() const {
    std::vector<std::vector<std::string>> table{
        {"run", "node-iterations", "virtual seconds", "sent", "memory", ""}};
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      table.push_back({names_[k]});
      auto const virtual_seconds = [&] { return json(plans_[k]->virtual_seconds).dump(); };
      if (plans_[k])
        table.back().insert(table.back().end(),
                            {std::to_string(plans_[k]->node_iterations), virtual_seconds(),
                             gossip::format_bytes(plans_[k]->bytes_sent),
                             gossip::format_bytes(plans_[k]->memory.total())});
      else
        table.back().insert(table.back().end(), 4, "-");
      table.back().push_back(candidates_[k].failure);
    }
    print_table(std::cout, table);
  }

  arguments const &given_;
  std::vector<swept_field> const &fields_;
  std::vector<swept_values> values_;
  std::vector<std::string> names_;
  std::vector<candidate> candidates_;
  std::optional<best_field> best_;
  std::vector<std::optional<gossip::plan_report>> plans_;
  std::atomic<bool> const &interrupt_;
  std::size_t at_once_ = 1, threads_ = 1, kept_ = 0;

  std::optional<folder_lock> lock_;
  shared_data data_;
  // The rest is for what runs leave behind: each is held against what is free as it begins.
  shared_memory memory_{gossip::available_memory() / 10 * 9};
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex lock_of_results_;  // of what follows
  std::optional<sweep_results> results_;
  sweep_display display_;
  std::exception_ptr stopped_by_;
};

}  // namespace

int sweep(arguments const &given, std::vector<swept_field> const &fields,
          std::atomic<bool> const &interrupt) {
  return sweep_runner(given, fields, interrupt).run();
}

}  // namespace simulate
