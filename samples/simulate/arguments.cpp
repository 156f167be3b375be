#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <system_error>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>

#include "../command_line/options.hpp"
#include "configuration.hpp"
#include "schema.hpp"

namespace simulate {

namespace {

/// The setting of --checkpoint for a period such as "10min", "2 epochs" or "500rounds". Throws
/// input_error.
std::string checkpoint_setting(std::string const &text) {
  std::size_t const digits = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string const number = text.substr(0, digits);
  std::string const unit = text.substr(std::min(text.find_first_not_of(' ', digits), text.size()));
  json every;
  if (unit == "epoch" || unit == "epochs")
    every["epochs"] = value_of("--checkpoint", number);
  else if (unit == "round" || unit == "rounds")
    every["rounds"] = value_of("--checkpoint", number);
  else
    try {
      gossip::parse_duration(text, "--checkpoint");
      every["time"] = text;
    } catch (gossip::input_error const &) {
      throw gossip::input_error("--checkpoint", "a period such as 10min, 2epochs or 500rounds",
                                "'" + text + "'");
    }
  return "/checkpoint=" + every.dump();
}

std::size_t count_of(std::string const &name, std::string const &text) {
  std::size_t count = 0;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (fault != std::errc() || end != text.data() + text.size() || count == 0 || count > 1'000'000)
    throw gossip::input_error(name, "a number from 1 to 1000000", "'" + text + "'");
  return count;
}

std::size_t size_of_memory(std::string const &name, std::string const &text) {
  std::uint64_t const bytes = gossip::parse_bytes(text, name);
  if (bytes == 0) throw gossip::input_error(name, "a size above 0", "'" + text + "'");
  return bytes;
}

/// "02:50:00", or a duration with its unit.
std::chrono::nanoseconds time_of(std::string const &name, std::string const &text) {
  unsigned hours = 0, minutes = 0, seconds = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "%4u:%2u:%2u%n", &hours, &minutes, &seconds, &end) == 3 &&
      static_cast<std::size_t>(end) == text.size() && minutes < 60 && seconds < 60)
    return std::chrono::hours(hours) + std::chrono::minutes(minutes) +
           std::chrono::seconds(seconds);
  try {
    return gossip::parse_duration(text, name);
  } catch (gossip::input_error const &) {
    throw gossip::input_error(name, "a time such as 02:50:00 or 170min", "'" + text + "'");
  }
}

void turn_on_export(arguments &given, std::string const &what) {
  if (what == "mean")
    given.export_mean = true;
  else if (what == "nodes")
    given.export_nodes = true;
  else if (what == "graph")
    given.export_graph = true;
  else
    throw gossip::input_error("--export", "mean, nodes or graph", "'" + what + "'");
}

}  // namespace

constinit char const *const help_text =
    R"(gossip-simulate [--config FILE] [--clock-from RUN] [--set /json/pointer=value]...
                [--sweep /json/pointer=values]... [--pair /json/pointer=values]...
                [--best /json/pointer[=metric]] [--start FILE]
                [--out DIR [--export mean|nodes|graph]... [--checkpoint EVERY]
                 [--overwrite | --resume | --resume-elsewhere]]
                [--until TIME] [--grace TIME]
                [--memory SIZE [--scratch DIR]] [--device-memory SIZE]
                [--dry-run [--ranks N] [--trace N]] [--list] [--quiet] [--help]

Trains a simulated network of learners. Without arguments 64 LeNet-5s on a random 8-regular graph
learn to read digits with AD-PSGD, in half a minute.

  --config FILE   reads the configuration from a JSON file; fields that it omits have defaults
  --set P=V       sets a field, such as --set /topology/nodes=16 --set /exchange=d_psgd; V is JSON,
                  or text if it is not JSON; options --set apply in order, after the file
  --clock-from RUN
                  takes /clock from the measurements of gossip-live --run RUN, before --set; a dry
                  run with RUN/configuration.json predicts the live run and prints both
  --sweep P=A,B   makes a run per value, such as --sweep /seed=1..5 --sweep
                  /optimizer/rate=0.1,0.03: for all combinations, in parallel as cores and memory
                  allow, each with the result of a separate run; in a file:
                  {"sweep": {"/seed": [1, 2]}}. Prints means and deviations over seeds; with --out
                  DIR it writes a folder per run and results.csv
  --pair P=A,B    sweeps lists of equal length together: the first value of each list, then the
                  second; in a file: {"sweep": {"pair": {...}}}
  --best P[=M]    prints for a sweep the value of P with the best mean of M at the end of its runs,
                  for each combination of the other fields except seeds; M is accuracy.mean or a
                  different number of metrics.jsonl; an accuracy is best at its largest value, all
                  other numbers at their least
  --start FILE    begins with the model in FILE on all nodes: safetensors with the names and shapes
                  of PyTorch's tensors; short for --set /start=FILE
  --out DIR       writes config.json (complete: given to --config it repeats the run),
                  metrics.jsonl (a line per evaluation) and summary.json to DIR, for a dry run
                  plan.json; refuses a folder that has one of these files
  --export mean   writes the mean of all nodes' models to DIR/mean.safetensors at the end, also of
                  an interrupted run; --export nodes writes the model of each node to DIR/nodes/,
                  --export graph writes the network to DIR/graph.graphml, also for a dry run
  --overwrite     replaces the files of an earlier run
  --checkpoint EVERY
                  writes the state of the run to DIR/checkpoints every 10min, 2epochs or 500rounds,
                  and where it is asked to end; keeps the last two; short for --set /checkpoint
  --resume        continues the run in DIR from its last checkpoint, with the result of a run that
                  was not interrupted, on any number of threads and processes, or the sweep in DIR:
                  keeps finished runs and repeats all other runs; with --out DIR alone it continues
                  what DIR/config.json or DIR/sweep.json describes. Refused if a setting, the
                  program, a file that was read, or the machine differs; --resume-elsewhere also
                  continues on a different machine
  --until TIME    asks the run to end, as Ctrl-C does, after a time such as 02:50:00 or 170min since
                  the program began
  --grace TIME    with checkpoints: a run that is asked to end does so within this time, without a
                  new checkpoint if none could be written until then
  --dry-run       plans without training: prints the graph, virtual time, bytes, memory needed
  --ranks N       with --dry-run: plans for N ranks and prints what each rank holds and sends
  --trace N       with --dry-run and --out: writes trace.json, the activities of the first N nodes,
                  for ui.perfetto.dev or chrome://tracing
  --memory SIZE   keeps the process within a size such as 8GB: rows of nodes that do not fit are
                  read from a file and written to it while others are worked on; results are
                  identical
  --scratch DIR   with --memory: the folder of that file, on a disk; the working folder if omitted
  --device-memory SIZE
                  on a GPU: keeps rows of nodes in memory of the host, or with --memory on a disk,
                  and uses this size of the GPU's memory for samples and for gradients of some nodes
                  at a time
  --list          prints all fields and policies with parameters, units and defaults
  --quiet         prints the final report only
  --help          prints this text

Under mpirun the nodes are divided among the processes; results are identical, bit for bit.
Ctrl-C ends the run at its next level, with complete files; with --checkpoint at the end of its
current window, after a checkpoint. A second Ctrl-C ends it at once.
Exit status: 0 done, 1 the run failed or was interrupted, 2 the input was wrong.
)";

arguments parse(std::span<char const *const> words) {
  arguments result;
  std::vector<std::string> const names{
      "--config",  "--clock-from", "--set",    "--sweep",      "--pair",    "--best",
      "--start",   "--out",        "--export", "--overwrite",  "--resume",  "--resume-elsewhere",
      "--dry-run", "--ranks",      "--trace",  "--memory",     "--scratch", "--device-memory",
      "--list",    "--quiet",      "--help",   "--checkpoint", "--until",   "--grace"};
  command_line::options given(words);
  auto const turn_on = [&](bool &option) {
    given.refuse_value();
    option = true;
  };
  while (given.next()) {
    std::string const &name = given.name();
    if (name == "--config")
      result.config = given.path();
    else if (name == "--set")
      result.settings.push_back(given.repeated_value());
    else if (name == "--clock-from")
      result.clock_from = given.path();
    else if (name == "--sweep")
      result.sweeps.push_back(given.repeated_value());
    else if (name == "--pair")
      result.pairs.push_back(given.repeated_value());
    else if (name == "--best")
      result.best = given.value();
    else if (name == "--start")
      result.settings.push_back("/start=" + quoted_json(name, given.path()));
    else if (name == "--checkpoint")
      result.settings.push_back(checkpoint_setting(given.value()));
    else if (name == "--until")
      result.until = time_of(name, given.value());
    else if (name == "--grace")
      result.grace = time_of(name, given.value());
    else if (name == "--export")
      turn_on_export(result, given.repeated_value());
    else if (name == "--out")
      result.out = given.path();
    else if (name == "--overwrite")
      turn_on(result.overwrite);
    else if (name == "--resume")
      turn_on(result.resume);
    else if (name == "--resume-elsewhere")
      turn_on(result.resume), result.resume_elsewhere = true;
    else if (name == "--dry-run")
      turn_on(result.dry_run);
    else if (name == "--ranks")
      result.ranks = count_of(name, given.value());
    else if (name == "--trace")
      result.traced = count_of(name, given.value());
    else if (name == "--memory")
      result.memory = size_of_memory(name, given.value());
    else if (name == "--device-memory")
      result.device_memory = size_of_memory(name, given.value());
    else if (name == "--scratch")
      result.scratch = given.path();
    else if (name == "--list")
      turn_on(result.list);
    else if (name == "--quiet")
      turn_on(result.quiet);
    else if (name == "--help" || name == "-h")
      turn_on(result.help);
    else
      throw gossip::input_error("gossip-simulate: unknown argument '" + given.word() + "'" +
                                did_you_mean(name, names) + "; --help lists them");
  }
  if (result.ranks > 0 && !result.dry_run)
    throw gossip::input_error("--ranks", "--dry-run", "a run; mpirun -n gives it ranks");
  if (!result.scratch.empty() && result.memory == 0)
    throw gossip::input_error("--scratch", "--memory SIZE", "none");
  if (result.traced > 0 && (!result.dry_run || result.out.empty()))
    throw gossip::input_error("--trace", "--dry-run and --out DIR",
                              result.dry_run ? "no --out" : "a run");
  bool const models = result.export_mean || result.export_nodes;
  if ((models || result.export_graph) && result.out.empty())
    throw gossip::input_error("--export", "--out DIR", "none");
  if (models && result.dry_run)
    throw gossip::input_error("--export", "graph of a dry run, which has no models",
                              result.export_mean ? "mean" : "nodes");
  if (result.overwrite && result.out.empty())
    throw gossip::input_error("--overwrite", "--out DIR", "none");
  if (result.resume && (result.out.empty() || result.overwrite || result.dry_run))
    throw gossip::input_error("--resume", "--out DIR, and neither --overwrite nor --dry-run",
                              result.out.empty() ? "no --out"
                              : result.overwrite ? "--overwrite"
                                                 : "--dry-run");
  return result;
}

}  // namespace simulate
