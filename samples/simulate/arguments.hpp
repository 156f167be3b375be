// The command line of gossip-simulate.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace simulate {

struct arguments {
  std::string config;                 // empty: none given
  std::vector<std::string> settings;  // "/json/pointer=value" each, in order
  std::vector<std::string> sweeps;    // "/json/pointer=value,value" each, in order
  std::vector<std::string> pairs;     // the same of lists that are joined
  std::string best;                   // "/json/pointer" or "/json/pointer=metric"; empty: not asked
  std::string clock_from;             // empty: the clock is the configuration's
  std::string out;                    // empty: no files
  std::size_t ranks = 0;              // of a dry run; 0: as many as there are
  std::size_t traced = 0;             // nodes of a dry run whose activities are written
  std::size_t memory = 0;             // bytes that the process may have in memory; 0: any number
  std::string scratch;                // folder for rows that memory has no room for; empty: "."
  std::size_t device_memory = 0;      // bytes of a GPU's memory for gradients; 0: rows lie there
  bool export_mean = false;           // writes the mean of all models,
  bool export_nodes = false;          // each node's own,
  bool export_graph = false;          // the network
  std::optional<std::chrono::nanoseconds> until;  // of the run, from the program's start
  std::optional<std::chrono::nanoseconds> grace;  // from then to the last level
  bool resume = false;
  bool resume_elsewhere = false;  // as resume, also where another machine began
  bool dry_run = false;
  bool overwrite = false;
  bool list = false;
  bool quiet = false;
  bool help = false;
};

/// Throws gossip::input_error for what is no argument of the program.
arguments parse(std::span<char const *const> words);

extern char const *const help_text;

}  // namespace simulate
