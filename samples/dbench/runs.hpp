// The two kinds of runs that the experiments are made of: noise that is averaged, and perceptrons
// that learn digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/data/dataset.hpp>
#include <gossip/graph/graph.hpp>

#include "averages_first.hpp"
#include "noise.hpp"

namespace dbench {

struct noise_run {
  gossip::graph network;
  noise steps;
  double momentum = 0;
  averages_first how{};
  std::uint64_t rounds = 100;
};

/// Gini of the nodes' norms before the averaging of each round (rounds).
std::vector<double> gini_of(noise_run const &run);

/// The rate falls over three parts of a run: from `first` to `peak`, back, and down to `last`; with
/// the parts of the paper's authors' preset, 60 nominal epochs of 5 rounds in the place of 300.
struct one_cycle {
  double peak = 3, first = 0.15, last = 0.0015;
  double rounds_per_epoch = 1;  ///< of the data: what a schedule is given are epochs of them

  static constexpr double nominal_epochs = 60, up = 5, down = 10;
  static constexpr std::uint64_t nominal_rounds = 5;

  double at_round(double round) const;
  double factor(double epoch) const { return at_round(epoch * rounds_per_epoch); }
};

struct training_run {
  gossip::graph network;
  std::size_t nodes = 12;
  std::uint64_t rounds = 300, seed = 1;
  one_cycle cycle{};
  double constant = 0;  ///< a constant rate without momentum in the place of the cycle; 0: none
  std::uint64_t look_every = 1;  ///< rounds between measurements of norms
  bool averaging = false;        ///< measures what is left after averaging, too
};

struct trained {
  std::vector<std::uint64_t> rounds;          // (looks)
  std::vector<double> rates;                  // (looks)
  std::vector<double> first_gini, last_gini;  // (looks) of the first and the last weights
  std::vector<double> averaged_gini;          // (looks) of the first weights, or empty
  double accuracy = 0;                        // mean of the nodes' own, in percent
  double averaged_accuracy = 0;               // of the mean model, in percent
  double loss = 0;                            // on the test set, mean of nodes
  double gigabytes = 0;                       // sent by all nodes
};

struct digits_data {
  gossip::dataset train, test;
};

/// Samples of each node: as many as five batches of 64, or what there is.
std::size_t samples_of_node(digits_data const &data, std::size_t nodes);

trained train(training_run const &run, digits_data const &data);

}  // namespace dbench
