// The command line of gossip-live.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <gossip/live/run.hpp>
#include <gossip/transport/facts.hpp>

namespace live_sample {

struct arguments {
  std::string method = "ad_psgd";
  std::string topology = "ring";
  bool make_bipartite = false;
  std::string model = "lenet5";
  std::string optimizer = "sgd";
  double rate = 0.02, momentum = 0.9, weight_decay = 0;
  std::string data;  // empty: the digits that come with the repository
  std::string json;  // empty: no file
  std::string run;   // empty: no folder
  gossip::live::options options{.epochs = 2, .test_samples = 2000};
  bool help = false;
};

/// Throws gossip::input_error for what is no argument of the program.
arguments parse(std::span<char const *const> words);

/// What all ranks must have alike: the version and all arguments but the folder of the data, which
/// may be another path on another machine, and the names of what rank 0 writes.
gossip::fact_list facts_of(arguments const &given);

extern char const *const help_text;

}  // namespace live_sample
