// The command line of the program.
#pragma once

#include <span>
#include <string>

namespace dbench {

struct arguments {
  std::string experiment = "all";  // or e6a to e6e
  std::string out;                 // a folder; empty: nothing is written
  std::string mnist;               // a folder; empty: the digits of the source tree
  double peak = 3;                 // of the one-cycle of e6b and e6e
  bool quick = false;
  bool help = false;

  bool wants(std::string const &name) const { return experiment == "all" || experiment == name; }
};

extern char const *const help_text;

/// Throws input_error.
arguments read_arguments(std::span<char const *const> words);

}  // namespace dbench
