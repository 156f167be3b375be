// Runs of a perceptron with batch normalisation, 784-64-64-10.
#include <algorithm>
#include <numeric>
#include <string>

#include <gossip/data/iid.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/norm_dispersion.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>

#include "runs.hpp"

namespace dbench {

namespace {

using namespace gossip;

constexpr std::size_t batch = 64;

using perceptron = sequential<input<1, 28, 28>, dense<64>, batch_norm, relu, dense<64>, batch_norm,
                              relu, dense<10>>;
constexpr std::size_t tensors = perceptron::tensors.size();

/// The cycle, or a rate that falls to a tenth for the last third of the run.
struct rates {
  one_cycle cycle;
  double constant, fall;  // an epoch
  double factor(double epoch) const {
    if (constant == 0) return cycle.factor(epoch);
    return epoch < fall ? constant : constant / 10;
  }
};

double number(record const &r, std::string const &name) {
  for (named_number const &one : r.numbers)
    if (one.name == name) return one.value;
  throw error("dbench: a record has no " + name);
}

struct keep_looks {
  trained *to;
  training_run const *of;
  void take(record const &r) const {
    if (r.mark.round == 0) return;
    to->rounds.push_back(r.mark.round);
    to->rates.push_back(of->cycle.at_round(static_cast<double>(r.mark.round) - 1));
    to->first_gini.push_back(number(r, "norm_gini_0"));
    to->last_gini.push_back(number(r, "norm_gini_" + std::to_string(tensors - 2)));
    if (of->averaging) to->averaged_gini.push_back(number(r, "averaged_norm_gini_0"));
  }
};

}  // namespace

double one_cycle::at_round(double round) const {
  double const epoch = round / static_cast<double>(nominal_rounds);
  auto const between = [&](double from, double to, double begin, double end) {
    return from + (to - from) * std::clamp((epoch - begin) / (end - begin), 0.0, 1.0);
  };
  if (epoch < up) return between(first, peak, 0, up);
  if (epoch < down) return between(peak, first, up, down);
  return between(first, last, down, nominal_epochs);
}

std::size_t samples_of_node(digits_data const &data, std::size_t nodes) {
  return std::min(one_cycle::nominal_rounds * batch, data.train.size() / nodes);
}

trained train(training_run const &run, digits_data const &data) {
  trained found;
  std::size_t const own = samples_of_node(data, run.nodes);
  double const per_epoch = static_cast<double>(own) / batch;
  training_run known = run;
  known.cycle.rounds_per_epoch = per_epoch;
  bool const cycles = run.constant == 0;
  by_round<mixing_matrix> weights;
  if (run.averaging) weights = weights_by_round(metropolis_hastings{}, run.network);
  rates const schedule{known.cycle, run.constant,
                       static_cast<double>(run.rounds) / per_epoch * 2 / 3};
  sgd const steps{.rate = 1,
                  .momentum = cycles ? 0.9 : 0.0,
                  .nesterov = cycles,
                  .weight_decay = cycles ? 1e-4 : 0.0};
  simulator network{known_graph{run.network}, perceptron{}, scheduled{steps, schedule},
                    averages_first{}, cpu{}};
  dataset const samples = data.train.take(0, own * run.nodes);
  auto const report = network.run(
      {.seed = run.seed, .batch = batch, .stop = rounds{run.rounds}}, split(samples, iid{}),
      every(rounds{run.look_every}, norm_dispersion{.by_tensor = true, .averaging = weights},
            keep_looks{&found, &known}),
      accuracy{data.test, {.nodes = 16}});
  found.accuracy = 100 * report.last.accuracy->mean;
  found.averaged_accuracy = 100 * *report.last.averaged_model_accuracy;
  found.loss = *report.last.test_loss;
  found.gigabytes = static_cast<double>(report.bytes_sent) * 1e-9;
  return found;
}

}  // namespace dbench
