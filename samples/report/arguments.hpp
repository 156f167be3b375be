// The command line of gossip-report.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace report {

struct arguments {
  std::vector<std::string> folders;
  std::string out;  // of the page; empty: report.html in the only folder, or here for several
  std::string svg;  // the folder of the charts; empty: none
  std::string pdf;  // the same
  std::vector<std::string> labels, axes;  // NAME=TEXT
  double from = 0;                        // the first epoch in the charts
  bool overwrite = false;
  bool help = false;
};

/// Throws gossip::input_error for what is no argument of the program.
arguments parse(std::span<char const *const> words);

extern char const *const help_text;

}  // namespace report
