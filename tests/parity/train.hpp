// Trains a model of one node with every optimizer and writes start and parameters, raw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <gossip/gossip.hpp>

#include "files.hpp"

namespace gossip::parity {

inline constexpr std::uint64_t seed = 3;
inline constexpr std::size_t batch = 66;  // a whole chunk and a part of one
inline constexpr std::uint64_t steps[] = {1, 20};
inline constexpr std::uint64_t last_step = 20;

/// Keeps the parameters of node 0 at the steps asked for.
template <class T>
struct snapshots {
  std::vector<std::vector<T>> *taken;

  template <class Context>
  void measure(Context &context, record &r) {
    if (std::count(std::begin(steps), std::end(steps), r.mark.node_iterations) == 0) return;
    auto const *const row = context.rows().parameters(0);
    taken->emplace_back(row, row + context.size().parameters);
  }
};

/// One type for all optimizers, so that the simulator is compiled once a model and precision.
using some_optimizer = any_optimizer<sgd, adam, adamw>;

inline json describe(sgd const &o) {
  return {{"kind", "sgd"},
          {"rate", o.rate},
          {"momentum", o.momentum},
          {"nesterov", o.nesterov},
          {"weight_decay", o.weight_decay}};
}

template <class Adam>
json describe(Adam const &o) {
  return {{"kind", std::is_same_v<Adam, adam> ? "adam" : "adamw"},
          {"rate", o.rate},
          {"first_decay", o.first_decay},
          {"second_decay", o.second_decay},
          {"epsilon", o.epsilon},
          {"weight_decay", o.weight_decay}};
}

/// Trains one node alone and writes its parameters after the steps.
template <class T, class Model>
json train(std::string const &folder, std::string const &name, dataset const &data,
           some_optimizer const &optimizer) {
  simulator network{complete{.nodes = 1}, Model{}, optimizer, none{}, numbers<T>{}};
  std::vector<std::vector<T>> taken;
  network.run({.seed = seed, .batch = batch, .stop = rounds{last_step}}, split(data, iid{}),
              every(rounds{1}, snapshots<T>{&taken}));
  if (taken.size() != std::size(steps)) throw error(name + ": a snapshot is missing");
  json run = {{"after", json::object()}};
  run["optimizer"] = std::visit([](auto const &o) { return describe(o); }, optimizer.kind);
  for (std::size_t s = 0; s < std::size(steps); ++s) {
    std::string const step = std::to_string(steps[s]);
    run["after"][step] = write(folder, name + "." + step, taken[s]);
  }
  return run;
}

/// All optimizers on one model in one precision.
template <class T, class Model>
json train_all(std::string const &folder, std::string const &name, dataset const &data) {
  std::vector<T> start(Model::parameters);
  Model{}.initialise(std::span<T>(start), seed);
  json runs = {{"model", name},
               {"number", sizeof(T) == 4 ? "float32" : "float64"},
               {"start", write(folder, name + std::to_string(sizeof(T)) + ".start", start)},
               {"named", write_named<Model>(
                             folder, name + std::to_string(sizeof(T)) + ".safetensors", start)},
               {"runs", json::array()}};
  auto const with = [&](some_optimizer const &optimizer) {
    std::string const file =
        name + std::to_string(sizeof(T)) + "." + std::to_string(runs["runs"].size());
    runs["runs"].push_back(train<T, Model>(folder, file, data, optimizer));
  };
  with({sgd{.rate = 0.05}});
  with({sgd{.rate = 0.02, .momentum = 0.9, .weight_decay = 1e-3}});
  with({sgd{.rate = 0.02, .momentum = 0.9, .nesterov = true, .weight_decay = 1e-3}});
  with({adam{.weight_decay = 1e-3}});
  with({adamw{.weight_decay = 0.1}});
  return runs;
}

/// Every model of the zoo in one precision; the two are compiled apart.
template <class T>
json train_zoo(std::string const &folder, dataset const &data) {
  return {train_all<T, lenet5>(folder, "lenet5", data), train_all<T, mlp>(folder, "mlp", data),
          train_all<T, softmax_regression>(folder, "softmax_regression", data)};
}
extern template json train_zoo<float>(std::string const &, dataset const &);
extern template json train_zoo<double>(std::string const &, dataset const &);

}  // namespace gossip::parity
