// A network whose accuracies can be worked out by hand: node i calls a sample positive from 10 i
// on.
#pragma once

#include <gossip/data/iid.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/model/model.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "../catch.hpp"

namespace gossip::test {

/// One parameter, the threshold. A gradient of node i is -10 i, so that one step at rate 1 takes it
/// to 10 i; the loss on a sample is the distance to the threshold.
struct threshold {
  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = true;
  static constexpr bool sample_major = true;
  static constexpr tensor_shape sample{1, 1, 1};
  static constexpr std::size_t classes = 2;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t batch) {
    return lanes_for(batch) * (sizeof(T) + sizeof(std::uint16_t));
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    row[0] = 0;
  }
  template <class T, class Source>
  void gradient(auto &, training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      *task.gradient.at(j) = T{-10} * static_cast<T>(task.nodes[j]);
      *task.loss.at(j) = static_cast<double>(task.nodes[j]);
    }
  }
  template <class T, class Source>
  void evaluate(auto &worker, evaluation_task<T, Source> const &task) const {
    std::size_t const lanes = lanes_for(task.samples);
    strided<T> const inputs{reinterpret_cast<T *>(task.workspace.data), 0};
    strided<std::uint16_t> const labels{
        reinterpret_cast<std::uint16_t *>(task.workspace.data + lanes * sizeof(T)), 0};
    task.source.load(worker, task, 0, task.samples, lanes, inputs, labels);
    for (std::size_t j = 0; j < task.k; ++j) {
      T const from = *task.parameters.at(j);
      *task.loss.at(j) = 0;
      *task.correct.at(j) = 0;
      for (std::size_t s = 0; s < task.samples; ++s) {
        *task.correct.at(j) += (inputs.at(j)[s] >= from) == (labels.at(j)[s] == 1);
        *task.loss.at(j) += static_cast<double>(std::abs(inputs.at(j)[s] - from));
      }
    }
  }
};

/// The numbers 0 to 99, positive from 50 on: two chunks of samples.
inline dataset const &hundred() {
  static dataset const numbers = [] {
    std::vector<float> features(100);
    std::iota(features.begin(), features.end(), 0.0f);
    std::vector<std::uint16_t> labels(100, 0);
    std::fill(labels.begin() + 50, labels.end(), std::uint16_t{1});
    return dataset("hundred", {1, 1, 1}, 2, std::move(features), std::move(labels));
  }();
  return numbers;
}

/// One round of n such nodes.
template <class... Observers>
run_report threshold_run(std::size_t nodes, execution engine, Observers... observers) {
  simulator network{ring{nodes}, threshold{}, sgd{.rate = 1.0}, none{}, with_reference{}};
  return network.run({.batch = 1, .stop = rounds{1}, .engine = engine}, split(hundred(), iid{}),
                     std::move(observers)...);
}

}  // namespace gossip::test
