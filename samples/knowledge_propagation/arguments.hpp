// What a run of knowledge_propagation is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace propagation {

struct arguments {
  std::string graph = "random_regular";  ///< or the path of a graph's file
  std::size_t nodes = 1000, degree = 8;  ///< of random_regular
  std::string seeds = "random:4";        ///< see the help
  std::size_t rare = 9;                  ///< the class that only seeds have samples of
  double share = 1;                      ///< of the class among a seed's samples
  std::size_t samples = 100;             ///< a node's
  std::size_t ticks = 1000, observe = 10;
  std::string model = "softmax_regression";
  double rate = 0.002, momentum = 0;
  std::size_t batch = 32;
  double keep = 0.5;
  double threshold = 0.5;          ///< accuracy on the class at which it has arrived at a node
  std::vector<std::size_t> maps;   ///< ticks; none: four, each twice the one before
  std::size_t test_samples = 100;  ///< of each class
  std::string data;                ///< none: the digits that come with the repository
  std::uint64_t seed = 1;
  std::string out;  ///< none: nothing is written
  bool help = false;
};

extern char const *const help_text;

/// Throws input_error that names the option, what was expected and what came.
arguments parse(std::span<char const *const> words);

}  // namespace propagation
