#include "sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <gossip/backend/cpu/blas.hpp>
#include <gossip/backend/cpu/thread_count.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/core/files_read.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/observer/json.hpp>

#include "earlier_files.hpp"
#include "identity.hpp"
#include "interruption.hpp"
#include "preparation.hpp"
#include "run_folder.hpp"
#include "saved_run.hpp"
#include "sweep_display.hpp"
#include "sweep_results.hpp"
#include "sweep_shares.hpp"
#include "whole_file.hpp"

namespace simulate {

namespace {

namespace fs = std::filesystem;

/// A run that an earlier process has brought to its end.
struct finished_run {
  std::vector<json> lines;  // its observations
  std::string failure;      // of one that has diverged, as it would again
};

/// A run of the sweep, as far as it is known before it begins.
struct candidate {
  std::optional<configuration> config;  // none where it has been refused
  std::string failure;
  std::optional<finished_run> finished;  // by an earlier process
  bool goes_on = false;                  // from a checkpoint of an earlier process
  std::size_t threads = 0;               // as the configuration says; 0: open
  std::size_t bytes = 0;                 // of memory; 0: not known before the graph is there
};

candidate candidate_of(arguments const &given, config_file const &file,
                       swept_values const &values) {
  candidate made;
  try {
    configuration const config(file, given.settings, values);
    if (!config["/checkpoint"].is_null() && given.out.empty())
      throw gossip::input_error("checkpoint", "--out DIR, the folder of the runs", "none");
    try {
      job j = job_of(config);
      model const &m = model_of(config);
      made.threads = j.threads;
      j.threads = std::max<std::size_t>(1, j.threads);  // where runs are side by side
      if (auto need = memory_of(config, m, j)) {
        need->leave_copy_out();  // more runs side by side are worth more than copies
        made.bytes = need->total();
      }
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

/// Throws input_error where the sweep that a folder holds is not this one.
void require_same_sweep(std::string const &path, json const &wanted) {
  std::string const file = path + "/sweep.json", option = "--resume --out " + path;
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    throw gossip::input_error(option, "a folder with the sweep.json of an earlier sweep", "none");
  json const there = read_json(file);
  if (there == wanted) return;
  std::string where = "text that is not JSON";
  if (!there.is_discarded()) where = json::diff(there, wanted).at(0).at("path").get<std::string>();
  throw gossip::input_error(option, "the sweep that sweep.json there describes",
                            "a sweep that differs from it" +
                                (there.is_discarded() ? ": it is not JSON" : " in " + where));
}

/// Nothing where the run has not come to its end, its files are not those of this configuration, or
/// an export that is asked for is not there.
std::optional<finished_run> finished_in(fs::path const &folder, configuration const &config,
                                        arguments const &given) {
  finished_run found;
  std::error_code ignored;
  json const summary = read_json((folder / "summary.json").string());
  if (!summary.is_object() || !summary.contains("ended")) return std::nullopt;
  json const ended = summary["ended"];
  if (ended == "diverged")
    found.failure = summary.value("sentence", "");
  else if (ended != "done" && ended != "stopped")
    return std::nullopt;
  if (read_json((folder / "config.json").string()) != config.complete()) return std::nullopt;
  bool const ends_well = found.failure.empty();
  if (ends_well && given.export_mean && !fs::exists(folder / "mean.safetensors", ignored))
    return std::nullopt;
  if (ends_well && given.export_nodes && !fs::exists(folder / "nodes", ignored))
    return std::nullopt;
  if (given.export_graph && !fs::exists(folder / "graph.graphml", ignored)) return std::nullopt;
  std::ifstream file(folder / "metrics.jsonl");
  for (std::string line; std::getline(file, line);) {
    found.lines.push_back(json::parse(line, nullptr, false));
    if (!found.lines.back().is_object()) return std::nullopt;
  }
  if (found.lines.empty()) return std::nullopt;
  return found;
}

class sweep_runner {
 public:
  sweep_runner(arguments const &given, config_file const &file,
               std::vector<swept_field> const &fields, last_minute &patience)
      : given_(given),
        fields_(fields),
        values_(combinations(fields)),
        patience_(patience),
        display_(given.quiet, values_.size()) {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      candidates_.push_back(candidate_of(given, file, values_[k]));
      names_.push_back(folder_name(k, values_.size(), fields, values_[k]));
      if (candidates_.back().config) data_.announce(*candidates_.back().config);
    }
    if (std::ranges::none_of(candidates_, [](auto const &c) { return c.config.has_value(); }))
      throw gossip::input_error(candidates_.front().failure);
    if (!given.best.empty()) best_ = best_field_of(given.best, fields, metrics());
    plans_.resize(values_.size());
    share_machine();
    claim_folder();
  }

  int run() {
    if (!given_.dry_run) advise_on_kernels();
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
    if (earlier_ && begun_ == 0) give_place_back();
    if (stopped_by_) std::rethrow_exception(stopped_by_);
    if (earlier_ && begun_ > 0) earlier_->remove();
    return report();
  }

 private:
  /// Names of the numbers that runs of the sweep measure.
  std::vector<std::string> metrics() const {
    std::vector<std::string> names;
    for (candidate const &c : candidates_)
      if (c.config)
        for (std::string const &name : metrics_of(model_of(*c.config)))
          if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
  }

  /// As many runs at once as cores and memory allow; cores are shared evenly.
  void share_machine() {
    std::size_t const cores = gossip::usual_threads();
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
      if (!given_.overwrite && !given_.resume) refuse_earlier();
      std::error_code ignored;
      made_ = !fs::exists(given_.out, ignored);
      make_folder(given_.out);
      lock_.emplace(given_.out);
      if (!given_.overwrite && !given_.resume) refuse_earlier();
      if (given_.resume) find_finished();
      if (!given_.dry_run) {
        if (!given_.resume) set_earlier_aside();
        fs::remove(given_.out + "/best.json", ignored);  // of earlier numbers
        write_whole(given_.out + "/sweep.json", repeated().dump(2) + "\n");
        table = given_.out + "/results.csv";
      }
    }
    results_.emplace(fields_, values_, names_, table);
    keep_finished();
  }

  /// What lies in the folder comes back where all runs are refused.
  void set_earlier_aside() {
    auto replaced = files_of_sweep(given_.out);
    for (std::string const &name : files_of_run(given_.out)) replaced.push_back(name);
    earlier_.emplace(given_.out, replaced);
  }
  void give_place_back() {
    earlier_->restore({"sweep.json", "results.csv", "best.json"});
    lock_.reset();
    std::error_code ignored;
    if (made_) fs::remove(given_.out, ignored);  // if nothing else is in it
  }

  /// Runs that are not trained again. Throws input_error where one of them is not what this process
  /// would make, before anything is written.
  void find_finished() {
    identity_check check("--resume --out " + given_.out, given_.resume_elsewhere);
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (!candidates_[k].config) continue;
      fs::path const folder = fs::path(given_.out) / names_[k];
      candidate &c = candidates_[k];
      c.finished = finished_in(folder, *c.config, given_);
      c.goes_on = !c.finished && !has_ended(folder.string()) &&
                  !(*c.config)["/checkpoint"].is_null() &&
                  read_json((folder / "config.json").string()) == c.config->complete() &&
                  has_checkpoint(folder.string());
      if (c.finished || c.goes_on)
        check.require_same(names_[k], read_json((folder / "identity.json").string()));
    }
    other_machines_ = check.other_machines();
  }

  /// Their rows go to the new results.csv.
  void keep_finished() {
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (!candidates_[k].finished) continue;
      for (json const &line : candidates_[k].finished->lines) results_->take(k, line);
      candidates_[k].failure = candidates_[k].finished->failure;
      results_->finish(k, candidates_[k].failure);
      display_.keep(k);
      data_.release(*candidates_[k].config);
      ++kept_;
    }
  }

  /// A run is about to train. Throws input_error where it has read a file that was another one for
  /// a run before it.
  void begin(std::size_t k, run_folder *folder, job const &j, gossip::files_read const &read,
             saved_run const &saved) {
    {
      std::lock_guard const turn(lock_of_results_);
      ++begun_;
      for (gossip::file_content const &one : read.files())
        if (auto const [known, first] = contents_.try_emplace(one.path, one);
            !first && known->second != one)
          throw gossip::input_error(one.path, "a file that does not change during a sweep",
                                    "content that differs from an earlier run's");
    }
    if (!folder) return;
    configuration const &config = *candidates_[k].config;
    json const identity = identity_of(read.files());
    if (candidates_[k].goes_on)
      go_on_in(*folder, config, identity, saved.earlier_machines(), given_, j);
    else
      begin_folder(*folder, config, identity, given_, j);
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
    while (!asked_to_end() && !stopped_) {
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
      tell(k, plans_[k]->remarks);
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
    gossip::files_read const read;
    with_memory(k, [&](model const &m, job &j) {
      std::shared_ptr<data_pair const> data;
      if (m.learns_from_samples) data = data_.of(config);
      std::optional<run_folder> folder;
      arguments own = given_;
      own.resume = candidates_[k].goes_on;
      if (!given_.out.empty()) {
        own.out += "/" + names_[k];
        folder.emplace(own.out, given_.overwrite || given_.resume);
        if (own.resume) folder->claim();
      }
      saved_run saved(own, config, m, j, patience_);
      saved.prepare(m, j);
      watcher watch = watcher_of(config);
      watch.models = exported(given_, own.out);
      saved.attach(watch, folder, [&](std::string const &line) {
        std::lock_guard const turn(lock_of_results_);
        display_.say(names_[k] + ": " + line);
      });
      double total = 1;
      watch.ready = [&] { begin(k, folder ? &*folder : nullptr, j, read, saved); };
      watch.begin = [&](auto const &outline) {
        if (folder) folder->expect(outline);
        total = std::max(1.0, static_cast<double>(outline.node_iterations));
        tell(k, outline.remarks);
        std::lock_guard const turn(lock_of_results_);
        for (std::string const &line : saved.news()) display_.say(names_[k] + ": " + line);
        for (json const &line : saved.lines_before()) results_->take(k, line);
      };
      watch.tick = [&](auto const &mark, double) {
        patience_.level();
        saved.level();
        if (folder) folder->trains();
        std::lock_guard const turn(lock_of_results_);
        display_.progress(k, static_cast<double>(mark.node_iterations) / total);
      };
      watch.take = [&](auto const &r) {
        if (folder) folder->take(r, watch.scores);
        std::lock_guard const turn(lock_of_results_);
        results_->take(k, gossip::to_json(r));
      };
      gossip::run_report const report =
          trained(m, j, data.get(), watch, folder ? &*folder : nullptr);
      if (folder) folder->finish(report, watch.unwritten);
      if (!watch.unwritten.empty()) throw gossip::error(watch.unwritten);
      if (report.interrupted)
        throw gossip::error("interrupted after " + std::to_string(report.node_iterations) +
                            " node-iterations");
    });
  }

  /// The remarks on a run; those that an earlier run had as well are not repeated.
  void tell(std::size_t k, std::vector<std::string> const &remarks) {
    std::lock_guard const turn(lock_of_results_);
    for (std::string const &one : remarks)
      if (told_.insert(one).second) display_.say("remark  " + names_[k] + ": " + one);
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
    if (!other_machines_.empty())
      std::cout << "\nRuns that were finished before were made on " << machines()
                << ", the other runs here: digests of this sweep are not comparable with other "
                   "digests.\n";
    if (!given_.out.empty() && !given_.dry_run && !(earlier_ && begun_ == 0))
      std::cout << "\nfiles  " << given_.out << "/results.csv, sweep.json, "
                << (best_ ? "best.json, " : "") << "a folder per run\n";
    std::cout.flush();
    if (failed > 0 || left > 0)
      std::cerr << failed << " of " << candidates_.size() << " runs failed"
                << (left > 0 ? ", " + std::to_string(left) + " were not started" : "")
                << (asked_to_end() && !given_.out.empty() && !given_.dry_run
                        ? "; --resume --out " + given_.out + " goes on"
                        : "")
                << '\n';
    return failed > 0 || left > 0 ? 1 : 0;
  }

  /// "Intel Xeon (family 6, model 143) and AMD EPYC": of runs that were finished before.
  std::string machines() const {
    std::string names;
    for (json const &one : other_machines_)
      names += (names.empty() ? "" : " and ") + one.value("processor", "an unknown machine");
    return names;
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
  last_minute &patience_;
  std::size_t at_once_ = 1, threads_ = 1, kept_ = 0;

  std::optional<folder_lock> lock_;
  std::optional<earlier_files> earlier_;
  bool made_ = false;  // the folder
  std::vector<json> other_machines_;
  shared_data data_;
  // The rest is for what runs leave behind: each is held against what is free as it begins.
  shared_memory memory_{gossip::available_memory() / 10 * 9};
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex lock_of_results_;  // of what follows
  std::size_t begun_ = 0;
  std::map<std::string, gossip::file_content> contents_;  // of all files that runs have read
  std::optional<sweep_results> results_;
  sweep_display display_;
  std::set<std::string> told_;  // remarks
  std::exception_ptr stopped_by_;
};

}  // namespace

int sweep(arguments const &given, config_file const &file, std::vector<swept_field> const &fields,
          last_minute &patience) {
  return sweep_runner(given, file, fields, patience).run();
}

}  // namespace simulate
