#include "arguments.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

#include <gossip/core/error.hpp>

#include "../command_line/options.hpp"

namespace dbench {

constinit char const *const help_text =
    R"(dbench [--option VALUE]...

Dispersion of the norms of replicas during training, by graph and size: the findings of DBench (Xie
et al., 2025), checked one by one at small scale. Prints for each finding the claim, the figures of
the reference, the figures of this run, and whether the finding holds.

  --experiment E    e6a: decay and bursts of noise, exact      e6b: perceptrons on three graphs
                    e6c: memory on a complete graph            e6d: learning rate and degree
                    e6e: an Ada-style graph, accuracy and bytes
                    or all (default)
  --quick           runs small experiments, in seconds; skips findings that need whole runs
  --peak R          highest learning rate of e6b and e6e (default 3, as in the reference)
  --mnist FOLDER    trains on MNIST's four files in FOLDER instead of samples/data/digits, whose
                    8,000 images are fewer than 320 per node from 48 nodes on
  --out FOLDER      writes results.csv and charts to FOLDER
  --help            prints this text

Exit status: 0 done, 1 the run failed or an exact finding (F4, F5, E2) does not hold, 2 the input
was wrong.
)";

arguments read_arguments(std::span<char const *const> words) {
  constexpr std::array<std::string_view, 6> experiments{"all", "e6a", "e6b", "e6c", "e6d", "e6e"};
  arguments given;
  std::string peak = "3";
  command_line::options options(words);
  while (options.next()) {
    std::string const &name = options.name();
    if (name == "--help") {
      options.refuse_value();
      given.help = true;
      return given;
    }
    if (name == "--quick") {
      options.refuse_value();
      given.quick = true;
      continue;
    }
    std::string *const to = name == "--experiment" ? &given.experiment
                            : name == "--out"      ? &given.out
                            : name == "--peak"     ? &peak
                            : name == "--mnist"    ? &given.mnist
                                                   : nullptr;
    if (!to)
      throw gossip::input_error("option", "--experiment, --quick, --peak, --mnist, --out or --help",
                                "'" + options.word() + "'");
    *to = options.value();
    if (to->empty()) throw gossip::input_error(name, "a value after the option", "nothing");
  }
  if (std::ranges::find(experiments, given.experiment) == experiments.end())
    throw gossip::input_error("--experiment", "e6a, e6b, e6c, e6d, e6e or all",
                              "'" + given.experiment + "'");
  char const *const end = peak.data() + peak.size();
  auto const [stop, code] = std::from_chars(peak.data(), end, given.peak);
  if (code != std::errc{} || stop != end || !(given.peak > 0 && given.peak <= 100))
    throw gossip::input_error("--peak", "a number above 0, at most 100", "'" + peak + "'");
  return given;
}

}  // namespace dbench
