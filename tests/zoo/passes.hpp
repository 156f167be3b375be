// Gradients and scores of the large models of the zoo on images that a test holds in its hands.
// They are compiled once, in passes_float.cpp and passes_double.cpp, for all programs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/core/random.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/zoo.hpp>

namespace gossip::test {

/// Images with labels, as both tasks of a model load them.
template <class T>
struct images {
  std::vector<T> features;  // (count, sample)
  std::vector<std::uint16_t> labels;

  std::size_t count() const { return labels.size(); }

  template <class Worker, class Task>
  void load(Worker &, Task const &, std::size_t first, std::size_t number, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> to) const {
    std::size_t const size = features.size() / labels.size();
    std::fill_n(inputs.data, lanes * size, T{0});
    for (std::size_t l = 0; l < number; ++l) {
      for (std::size_t f = 0; f < size; ++f)
        inputs.data[f * lanes + l] = features[(first + l) * size + f];
      to.data[l] = labels[first + l];
    }
  }
};

/// Standard normal images, rounded to float in both precisions, under labels drawn at random.
template <class T, class Model>
images<T> random_images(std::size_t count, std::uint64_t draw) {
  images<T> drawn{std::vector<T>(count * Model::sample.size()), {}};
  keyed_random random(draw, purpose::user, 2, count);
  for (T &x : drawn.features) x = static_cast<T>(static_cast<float>(random.normal()));
  for (std::size_t i = 0; i < count; ++i)
    drawn.labels.push_back(static_cast<std::uint16_t>(random.below(Model::classes)));
  return drawn;
}

/// The results of a pass over a batch: the gradient, statistics behind it, and the mean loss.
template <class T>
struct slope {
  std::vector<T> gradient;  // (row_length)
  double loss;
};

template <class T, class Model>
struct passes {
  static slope<T> gradient(std::vector<T> const &row, images<T> const &batch);

  /// The sum of losses and the right answers under the statistics of the row; a chunk at most.
  static evaluation scores(std::vector<T> const &row, images<T> const &batch);
};

template <class T, class Model>
slope<T> passes<T, Model>::gradient(std::vector<T> const &row, images<T> const &batch) {
  slope<T> found{std::vector<T>(row_length<Model>), 0.0};
  host_buffer<std::byte> workspace(Model::template workspace_bytes<T>(batch.count()));
  node const self = 0;
  std::uint64_t const step = 0;
  cpu::worker worker;
  Model{}.gradient(worker, training_task<T, images<T> const>{1,
                                                             batch.count(),
                                                             1,
                                                             &self,
                                                             &step,
                                                             {row.data(), 0},
                                                             {found.gradient.data(), 0},
                                                             {workspace.data(), 0},
                                                             {&found.loss, 0},
                                                             batch});
  return found;
}

template <class T, class Model>
evaluation passes<T, Model>::scores(std::vector<T> const &row, images<T> const &batch) {
  host_buffer<std::byte> workspace(Model::template workspace_bytes<T>(batch.count()));
  double loss = 0;
  std::uint32_t correct = 0;
  cpu::worker worker;
  Model{}.evaluate(worker, evaluation_task<T, images<T> const>{1,
                                                               batch.count(),
                                                               {row.data(), 0},
                                                               {},
                                                               {workspace.data(), 0},
                                                               {&loss, 0},
                                                               {&correct, 0},
                                                               batch});
  return {static_cast<double>(correct), loss};
}

extern template struct passes<float, lenet5_classic>;
extern template struct passes<float, lenet5_cifar10>;
extern template struct passes<float, resnet20>;
extern template struct passes<float, resnet18>;
extern template struct passes<float, vgg11>;
extern template struct passes<float, vgg16>;
extern template struct passes<double, lenet5_classic>;
extern template struct passes<double, lenet5_cifar10>;
extern template struct passes<double, resnet20>;
extern template struct passes<double, resnet18>;
extern template struct passes<double, vgg11>;
extern template struct passes<double, vgg16>;

}  // namespace gossip::test
