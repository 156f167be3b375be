#include "arguments.hpp"

#include <charconv>
#include <system_error>

#include <gossip/core/error.hpp>

#include "../command_line/options.hpp"

namespace report {

constinit char const *const help_text =
    R"(gossip-report DIR... [--out FILE] [--svg FOLDER] [--pdf FOLDER] [--label NAME=TEXT]
              [--axis NAME=TEXT] [--from EPOCH] [--overwrite] [--help]

Makes one page with charts and tables from folders of gossip-simulate, with runs or sweeps. The
page needs no network. Runs that differ only in their seeds are one line with a band.

  --out FILE      path of the page; default report.html in DIR, or in the current folder if there
                  are several folders DIR
  --svg FOLDER    writes each chart to FOLDER as SVG, by epoch, virtual time and bytes; the page
                  only with --out
  --pdf FOLDER    writes each chart to FOLDER as PDF, 252 points wide; the page only with --out
  --label NAME=TEXT
                  shows the line NAME as TEXT in figures and in the page; once per line
  --axis NAME=TEXT
                  titles an axis TEXT, followed by its unit; NAME is half of the chart's file
                  name, accuracy or epoch of accuracy_by_epoch.svg; once per axis
  --from EPOCH    begins charts at EPOCH, so that axes show later epochs larger
  --overwrite     replaces existing files
  --help          prints this text

Exit status: 0 done, 1 the output cannot be written, 2 the input was wrong.
)";

namespace {

double epoch_in(std::string const &word) {
  double epoch = 0;
  auto const [end, fault] = std::from_chars(word.data(), word.data() + word.size(), epoch);
  if (fault != std::errc() || end != word.data() + word.size() || !(epoch >= 0 && epoch < 1e15))
    throw gossip::input_error("--from", "an epoch, a number of at least 0", "'" + word + "'");
  return epoch;
}

}  // namespace

arguments parse(std::span<char const *const> words) {
  arguments a;
  command_line::options given(words);
  while (given.next()) {
    std::string const &name = given.name();
    if (name == "--out") {
      a.out = given.path();
    } else if (name == "--svg") {
      a.svg = given.path();
    } else if (name == "--pdf") {
      a.pdf = given.path();
    } else if (name == "--label") {
      a.labels.push_back(given.repeated_value());
    } else if (name == "--axis") {
      a.axes.push_back(given.repeated_value());
    } else if (name == "--from") {
      a.from = epoch_in(given.value());
    } else if (name == "--overwrite") {
      given.refuse_value();
      a.overwrite = true;
    } else if (name == "--help" || name == "-h") {
      given.refuse_value();
      a.help = true;
    } else if (name.starts_with("-")) {
      throw gossip::input_error("gossip-report: unknown argument '" + given.word() +
                                "'; --help lists them");
    } else if (name.empty()) {
      throw gossip::input_error("gossip-report", "a folder of gossip-simulate", "an empty path");
    } else {
      a.folders.push_back(name);
    }
  }
  if (a.folders.empty() && !a.help)
    throw gossip::input_error("gossip-report", "at least one folder of gossip-simulate", "none");
  return a;
}

}  // namespace report
