#include "arguments.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include <gossip/core/error.hpp>

#include "../command_line/options.hpp"
#include "configuration.hpp"
#include "schema.hpp"

namespace simulate {

namespace {

std::size_t count_of(std::string const &name, std::string const &text) {
  std::size_t count = 0;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (fault != std::errc() || end != text.data() + text.size() || count == 0 || count > 1'000'000)
    throw gossip::input_error(name, "a number from 1 to 1000000", "'" + text + "'");
  return count;
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
                [--out DIR [--export mean|nodes|graph]...
                 [--overwrite | --resume | --resume-elsewhere]]
                [--dry-run [--ranks N] [--trace N]] [--list] [--quiet] [--help]

Trains a simulated network of learners. Without arguments 64 LeNet-5s on a random 8-regular graph
teach each other to read digits with AD-PSGD, in half a minute.

  --config FILE   a JSON file that says what to run; what it leaves out has a default
  --set P=V       sets one field, as --set /topology/nodes=16 --set /exchange=d_psgd; V is JSON,
                  or text where it is not; after the file, in order
  --clock-from RUN
                  takes /clock from what gossip-live --run RUN has measured, ahead of --set; a dry
                  run with RUN/configuration.json predicts that run and prints both
  --sweep P=A,B   a run for each value, as --sweep /seed=1..5 --sweep /optimizer/rate=0.1,0.03: for
                  all combinations, side by side as cores and memory allow, each with the result of
                  its own run; {"sweep": {"/seed": [1, 2]}} in a file says the same. With --out DIR
                  a folder a run and results.csv; at the end means and deviations over seeds
  --pair P=A,B    the same for lists of one length that go together: the first values of all, then
                  the second; {"sweep": {"pair": {...}}} in a file
  --best P[=M]    of a sweep: the value of P with the best mean of M at the end of its runs, for
                  each combination of the other fields but seeds; M is accuracy.mean or another
                  number of metrics.jsonl, the least of which is best unless it is an accuracy
  --start FILE    all nodes begin with the model in FILE, safetensors with the names and shapes of
                  PyTorch's tensors; the same as --set /start=FILE
  --out DIR       writes config.json (complete: given to --config it repeats the run),
                  metrics.jsonl (a line an evaluation) and summary.json there, of a dry run
                  plan.json; a folder that has one of them is refused
  --export mean   writes the mean of all nodes' models to DIR/mean.safetensors at the end, also of a
                  run that is interrupted; --export nodes each node's to DIR/nodes/, --export graph
                  the network to DIR/graph.graphml, also of a dry run
  --overwrite     replaces what an earlier run left there
  --resume        goes on with the sweep in DIR: runs that were finished there stay, the others
                  begin anew; with --out DIR alone the sweep is that of DIR/sweep.json. Refused
                  where the program, a file that was read or the machine is another one;
                  --resume-elsewhere goes on with a sweep of another machine all the same
  --dry-run       plans without training: the graph, virtual time, bytes, memory needed
  --ranks N       with --dry-run: as if on so many ranks, with what each holds and sends
  --trace N       with --dry-run and --out: writes trace.json, what the first N nodes do and when,
                  for ui.perfetto.dev or chrome://tracing
  --list          every field and policy with its parameters, units and defaults
  --quiet         prints the final report only
  --help          this

Under mpirun the nodes are spread over its processes; the results are the same, bit for bit.
Ctrl-C ends the run at its next level, files complete; a second one at once.
Exit status: 0 done, 1 the run failed or was interrupted, 2 the input was wrong.
)";

arguments parse(std::span<char const *const> words) {
  arguments result;
  std::vector<std::string> const names{
      "--config",  "--clock-from", "--set",    "--sweep",     "--pair",   "--best",
      "--start",   "--out",        "--export", "--overwrite", "--resume", "--resume-elsewhere",
      "--dry-run", "--ranks",      "--trace",  "--list",      "--quiet",  "--help"};
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
    throw gossip::input_error("--ranks", "--dry-run with it", "a run; mpirun -n gives it ranks");
  if (result.traced > 0 && (!result.dry_run || result.out.empty()))
    throw gossip::input_error("--trace", "--dry-run and --out DIR with it",
                              result.dry_run ? "no --out" : "a run");
  bool const models = result.export_mean || result.export_nodes;
  if ((models || result.export_graph) && result.out.empty())
    throw gossip::input_error("--export", "--out DIR with it", "none");
  if (models && result.dry_run)
    throw gossip::input_error("--export", "graph of a dry run, which has no models",
                              result.export_mean ? "mean" : "nodes");
  if (result.overwrite && result.out.empty())
    throw gossip::input_error("--overwrite", "--out DIR with it", "none");
  if (result.resume && (result.out.empty() || result.overwrite || result.dry_run))
    throw gossip::input_error("--resume", "--out DIR with it, neither --overwrite nor --dry-run",
                              result.out.empty() ? "no --out"
                              : result.overwrite ? "--overwrite"
                                                 : "--dry-run");
  return result;
}

}  // namespace simulate
