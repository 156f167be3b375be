#include "arguments.hpp"

#include <gossip/core/error.hpp>

namespace report {

constinit char const *const help_text =
    R"(gossip-report DIR... [--out FILE] [--svg FOLDER] [--overwrite] [--help]

Makes of folders that gossip-simulate wrote, runs and sweeps, one page with charts and tables that
needs no network. Runs that differ by their seeds alone are one line, with a band.

  --out FILE      the page; default report.html in DIR, or here where there are several
  --svg FOLDER    writes each chart there as an SVG of its own, by epoch, virtual time and bytes;
                  the page too only where --out says so
  --overwrite     replaces files of these names
  --help          this

Exit status: 0 done, 1 it cannot be written, 2 the input was wrong.
)";

arguments parse(std::span<char const *const> words) {
  arguments a;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const word = words[i];
    std::size_t const equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    std::string const name = word.substr(0, equals);
    if (name == "--out" || name == "--svg") {
      if (equals == std::string::npos && ++i == words.size())
        throw gossip::input_error(name, "a path after it", "nothing");
      std::string const path = equals == std::string::npos ? words[i] : word.substr(equals + 1);
      if (path.empty()) throw gossip::input_error(name, "a path after it", "nothing");
      (name == "--out" ? a.out : a.svg) = path;
    } else if (word == "--overwrite") {
      a.overwrite = true;
    } else if (word == "--help" || word == "-h") {
      a.help = true;
    } else if (word.starts_with("-")) {
      throw gossip::input_error("gossip-report: unknown argument '" + word +
                                "'; --help lists them");
    } else if (word.empty()) {
      throw gossip::input_error("gossip-report", "a folder of gossip-simulate", "an empty path");
    } else {
      a.folders.push_back(word);
    }
  }
  if (a.folders.empty() && !a.help)
    throw gossip::input_error("gossip-report", "at least one folder of gossip-simulate", "none");
  return a;
}

}  // namespace report
