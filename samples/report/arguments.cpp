#include "arguments.hpp"

#include <charconv>
#include <system_error>

#include <gossip/core/error.hpp>

#include "../command_line/options.hpp"

namespace report {

constinit char const *const help_text =
    R"(gossip-report DIR... [--out FILE] [--svg FOLDER] [--pdf FOLDER] [--label NAME=TEXT]
              [--axis NAME=TEXT] [--from EPOCH] [--overwrite] [--help]

Makes of folders that gossip-simulate wrote, runs and sweeps, one page with charts and tables that
needs no network. Runs that differ by their seeds alone are one line, with a band.

  --out FILE      the page; default report.html in DIR, or here where there are several
  --svg FOLDER    writes each chart there as an SVG of its own, by epoch, virtual time and bytes;
                  the page too only where --out says so
  --pdf FOLDER    writes each chart there as a PDF, 252 points wide; the page as with --svg
  --label NAME=TEXT
                  calls the line NAME of the report TEXT, in figures and in the page; once a line
  --axis NAME=TEXT
                  titles an axis TEXT, with its unit behind; NAME is half of the chart's file name,
                  accuracy or epoch of accuracy_by_epoch.svg; once an axis
  --from EPOCH    charts begin there: without the first epochs axes show the later ones larger
  --overwrite     replaces files of these names
  --help          this

Exit status: 0 done, 1 it cannot be written, 2 the input was wrong.
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
