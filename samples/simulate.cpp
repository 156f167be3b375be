// gossip-simulate: the library's policies, chosen at run time from a JSON configuration.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/files_read.hpp>
#include <gossip/observer/progress.hpp>

#include "command_line/stack_limit.hpp"
#include "simulate/arguments.hpp"
#include "simulate/assembly.hpp"
#include "simulate/identity.hpp"
#include "simulate/interruption.hpp"
#include "simulate/measured_run.hpp"
#include "simulate/preparation.hpp"
#include "simulate/ranks.hpp"
#include "simulate/run_folder.hpp"
#include "simulate/saved_run.hpp"
#include "simulate/sweep.hpp"

namespace simulate {

namespace {

std::string memory_line(gossip::memory_need const &need, std::size_t ranks) {
  using gossip::format_bytes;
  return "memory        " + format_bytes(need.total()) + (ranks > 1 ? " a rank" : "") +
         ": rows of the nodes " + format_bytes(need.rows) + ", at work " +
         format_bytes(need.working) + ", data " + format_bytes(need.data) + ", plan " +
         format_bytes(need.plan) + ", one model more " + format_bytes(need.model) +
         (need.copy > 0 ? ", a copy for checkpoints " + format_bytes(need.copy) : "") +
         (need.host > 0 ? "; of the host " + format_bytes(need.host) : "") +
         (need.device > 0 ? "; of the GPU at most " + format_bytes(need.device) : "") +
         (need.stored > 0 ? "; all rows on disk " + format_bytes(need.stored) : "");
}

void print_evaluation(gossip::record const &r) {
  std::printf("epoch %-8.4g", r.mark.epoch);
  if (r.accuracy)
    std::printf("  accuracy %.2f %% (worst of %zu nodes %.2f %%, %zu samples)",
                100 * r.accuracy->mean, r.evaluated_nodes, 100 * r.accuracy->min,
                r.evaluated_samples);
  if (std::isfinite(r.loss)) std::printf("  loss %.4g", r.loss);  // of trainings since the last
  std::printf("  consensus distance %.4g  %.1f s\n", r.consensus_distance.value_or(0),
              r.wall_seconds);
  std::fflush(stdout);
}

void print_remarks(std::vector<std::string> const &remarks) {
  for (std::string const &one : remarks) std::cout << "remark        " << one << '\n';
}

/// A run on the terminal. An unfinished bar ends before an error, which needs a line of its own.
class display {
 public:
  explicit display(bool quiet) : quiet_(quiet), bar_(!quiet && isatty(STDERR_FILENO) == 1) {}

  /// more: lines about the run.
  void begin(gossip::run_outline const &outline, bool uses_blas,
             std::vector<std::string> const &more) {
    if (!quiet_) {
      std::cout << outline.graph << '\n'
                << "parameters    " << outline.parameters << " a node\n"
                << memory_line(outline.memory, outline.ranks) << '\n';
      for (std::string const &line : more) std::cout << line << '\n';
      print_remarks(outline.remarks);
      std::cout << std::endl;
    }
    if (uses_blas) advise_on_kernels();
    line_.begin(outline);
    open_ = bar_;
  }
  /// While the run goes on.
  void say(std::string const &line) {
    if (quiet_) return;
    if (open_) std::fputc('\n', stderr);
    std::cout << line << std::endl;
  }
  void take(gossip::record const &r) {
    if (bar_)
      line_.take(r);
    else if (!quiet_)
      print_evaluation(r);
  }
  void tick(gossip::progress_mark const &mark, double wall_seconds) {
    line_.tick(mark, wall_seconds);
  }
  void close() {
    if (open_) std::fputc('\n', stderr);
    open_ = false;
  }
  ~display() { close(); }

 private:
  bool quiet_, bar_, open_ = false;
  gossip::progress line_{bar_};
};

/// The process that prints and writes is this one. Templates: a world of one has nobody to ask.
template <class World>
bool is_root(std::optional<World> const &world) {
  if constexpr (World::spans_ranks) return !world || world->rank() == 0;
  return true;
}
bool is_root(job const &j) {
  return is_root(j.world);
}

/// The configuration as the root reads it.
template <class World>
configuration configuration_for(std::optional<World> const &world, arguments const &given,
                                config_file const &file) {
  auto const read = [&] { return configuration(file, given.settings); };
  if constexpr (World::spans_ranks)
    if (world) return configuration(world->from_root([&] { return read().text(); }));
  return read();
}

/// The fields that are swept, as the root reads them; none where this is one run.
std::vector<swept_field> fields_for(std::optional<ranks> const &world, arguments const &given,
                                    config_file const &file) {
  std::vector<swept_field> fields;
  on_root(world, [&] {
    fields = swept_fields(file.path, file.sweep(), given.sweeps, given.pairs);
    if (given.memory > 0 && !fields.empty())
      throw gossip::input_error("--memory", "one run", "a sweep, whose runs share a process");
    if (world && !fields.empty())
      throw gossip::input_error("--sweep", "one process, whose runs share its cores",
                                std::to_string(world->size()) + " ranks");
  });
  return fields;
}

void plan_only(arguments const &given, configuration const &config, model const &m, job const &j,
               std::optional<measured_run> const &live) {
  gossip::plan_report const report = m.plan(j);
  json const held = live ? live->beside(report) : json(nullptr);
  std::string const refusal = refusal_of(config, m, j, report);
  std::string files;
  if (!given.out.empty())
    on_root(j.world, [&] {
      files = write_plan(given.out, report, config.complete(), refusal, held);
      export_graph(given, given.out, j);
      if (given.export_graph) files += ", graph.graphml";
    });
  if (!is_root(j)) return;
  std::cout << report.graph << '\n';
  if (report.ranks > 1) std::cout << report.division << '\n';
  std::cout << '\n' << report << memory_line(report.memory, report.ranks) << '\n';
  print_remarks(report.remarks);
  print_beside(std::cout, held);
  if (!refusal.empty()) std::cout << "The run itself would be refused: " << refusal << ".\n";
  if (!given.out.empty()) std::cout << "files         " << given.out << '/' << files << '\n';
}

int train(arguments const &given, configuration const &config, model const &m, job &j,
          gossip::files_read const &read, last_minute &patience) {
  std::optional<run_folder> folder;
  if (!given.out.empty())
    on_root(j.world, [&] {
      if (given.resume) config_to_resume(given.out);
      folder.emplace(given.out, given.overwrite || given.resume);
      if (given.resume) folder->claim();
    });
  saved_run saved(given, config, m, j, patience);
  saved.prepare(m, j);
  std::optional<data_pair> data;
  if (m.learns_from_samples) data.emplace(data_of(config));
  require_same_files(j.world, read);

  watcher watch = watcher_of(config);
  watch.models = exported(given, given.out);
  display shown(given.quiet);
  saved.attach(watch, folder, [&](std::string const &line) {
    if (is_root(j)) shown.say(line);
  });
  watch.ready = [&] {
    on_root(j.world, [&] {
      if (!folder) return;
      json const identity = identity_of(read.files());
      if (given.resume)
        return go_on_in(*folder, config, identity, saved.earlier_machines(), given, j);
      begin_folder(*folder, config, identity, given, j);
      if (!folder->overwritten().empty())
        std::cout << "overwrites              an earlier run, which differs in "
                  << folder->overwritten() << '\n';
    });
  };
  watch.begin = [&](auto const &outline) {
    if (folder) folder->expect(outline);
    shown.begin(outline, m.learns_from_samples, saved.lines(outline));
  };
  watch.tick = [&](auto const &mark, double seconds) {
    patience.level();
    saved.level();
    if (folder) folder->trains();
    shown.tick(mark, seconds);
  };
  watch.take = [&](auto const &r) {
    if (folder) folder->take(r, watch.scores);
    shown.take(r);
  };
  last_minute::duty const summary(patience, [&](std::exception const &fault) {
    if (folder) folder->fail(fault);
  });
  gossip::run_report const report =
      trained(m, j, data ? &*data : nullptr, watch, folder ? &*folder : nullptr);
  shown.close();
  if (folder) folder->finish(report, watch.unwritten);
  if (is_root(j)) std::cout << report;
  if (folder)
    std::cout << "files                   " << folder->path() << '/' << folder->names_of_files()
              << '\n';
  if (!watch.unwritten.empty()) throw gossip::error(watch.unwritten);
  // mpirun ends the others where one has failed: who writes speaks for all.
  if (!report.interrupted || !is_root(j)) return 0;
  std::cout.flush();
  std::cerr << "interrupted after " << report.node_iterations << " node-iterations"
            << (folder ? "; the files are complete" : "") << saved.way_on(given) << '\n';
  return 1;
}

int run(configuration const &config, arguments const &given, std::optional<ranks> const &world,
        std::optional<measured_run> const &live, last_minute &patience) {
  folder_use const use = given.dry_run ? folder_use::dry_run : folder_use::run;
  if (!given.out.empty() && !given.overwrite && !given.resume)
    on_root(world, [&] { refuse_earlier_files(given.out, use); });
  gossip::files_read const read;
  prepared_run made = prepared(config, given, world, threads_of(world));
  on_root(world, [&] {  // who has read what was measured
    if (live) live->require_nodes(made.work.topology.network->nodes());
  });
  if (!given.dry_run) return train(given, config, *made.of, made.work, read, patience);
  plan_only(given, config, *made.of, made.work, live);
  return 0;
}

/// What was measured, as the root reads it; its clock comes before all --set.
std::optional<measured_run> measured_for(arguments &given, std::optional<ranks> const &world) {
  std::optional<measured_run> live;
  if (given.clock_from.empty()) return live;
  on_root(world, [&] {
    live.emplace(given.clock_from);
    given.settings.insert(given.settings.begin(), live->setting());
  });
  return live;
}

int start(arguments given, std::optional<ranks> const &world) {
  last_minute patience;
  if ((given.help || given.list) && !is_root(world)) return 0;
  if (given.help) return std::cout << help_text, 0;
  if (given.list) return print_list(std::cout), 0;
  bool const is_there = given.config.empty() && given.sweeps.empty() && given.pairs.empty();
  if (given.resume && is_there) given.config = config_to_resume(given.out);
  if (given.until) ask_to_end_after(*given.until);
  auto const live = measured_for(given, world);
  config_file file;
  on_root(world, [&] { file = read_config(given.config); });
  if (auto const fields = fields_for(world, given, file); !fields.empty())
    return sweep(given, file, fields, patience);
  if (!given.best.empty()) throw gossip::input_error("--best", "a sweep", "a run");
  configuration const config = configuration_for(world, given, file);
  try {
    return run(config, given, world, live, patience);
  } catch (gossip::input_error const &fault) {
    throw config.located(fault);
  }
}

/// One sentence on standard error, of all ranks together where all fail; a rank that fails alone
/// says which it is, and ends the others.
template <class World>
int fail(std::optional<World> const &world, std::string const &sentence, int status) {
  std::cout.flush();
  if constexpr (World::spans_ranks) {
    if (world) {
      auto const last = world->failed(sentence);
      if (last.sentence) std::cerr << *last.sentence << std::endl;
      if (last.alone) world->abort(status);
      return last.sentence ? status : 0;
    }
  }
  std::cerr << sentence << '\n';
  return status;
}

}  // namespace

}  // namespace simulate

int main(int count, char **words) {
  using namespace simulate;
  std::optional<ranks> world;
  try {
    command_line::require_stack();
    world = simulate::world();
    require_same_arguments(world, {words + 1, words + count});
    catch_signals();
    int const status = start(parse({words + 1, words + count}), world);
    if (!std::cout.flush()) return fail(world, "standard output: cannot be written", 1);
    return status;
  } catch (gossip::input_error const &fault) {
    return fail(world, fault.what(), 2);
  } catch (std::bad_alloc const &) {
    return fail(world, "memory: there is not enough for this run", 1);
  } catch (std::exception const &fault) {
    return fail(world, fault.what(), 1);
  }
}
