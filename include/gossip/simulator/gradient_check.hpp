// A check for layers and models of one's own: the gradient against central differences of the loss,
// in double precision, on random samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/sequential.hpp>

namespace gossip {

struct gradient_check_settings {
  std::size_t samples = 5;        ///< of the batch
  std::size_t parameters = 1000;  ///< that are checked, spread over the row, at most
  double step = 1e-6;             ///< of the difference
  double tolerance = 1e-6;        ///< of 1 + the gradient's size
  std::uint64_t seed = 1;         ///< of the parameters and samples
};

/// The parameter where gradient and difference are farthest apart.
struct gradient_difference {
  std::size_t parameter = 0;
  double gradient = 0;    ///< by the model
  double difference = 0;  ///< (loss(x + step) - loss(x - step)) / (2 step)
  double error() const { return std::abs(gradient - difference) / (1 + std::abs(difference)); }
};

namespace detail {

/// A batch of samples of normal features with labels that are drawn uniformly.
template <class Model>
class random_batch {
 public:
  random_batch(std::size_t samples, std::uint64_t seed)
      : features_(samples * Model::sample.size()), labels_(samples) {
    keyed_random random(seed, purpose::user, 0, samples);
    for (double &x : features_) x = random.normal();
    if constexpr (chooses_classes<Model>)
      for (std::uint16_t &one : labels_)
        one = static_cast<std::uint16_t>(random.below(Model::classes));
  }

  template <class Worker, class Task>
  void load(Worker &, Task const &task, std::size_t first, std::size_t count, std::size_t lanes,
            strided<double> inputs, strided<std::uint16_t> labels) const {
    std::size_t const size = Model::sample.size();
    for (std::size_t j = 0; j < task.k; ++j) {
      std::fill_n(inputs.at(j), lanes * size, 0.0);
      for (std::size_t l = 0; l < count; ++l) {
        for (std::size_t f = 0; f < size; ++f)
          inputs.at(j)[Model::sample_major ? l * size + f : f * lanes + l] =
              features_[(first + l) * size + f];
        labels.at(j)[l] = labels_[first + l];
      }
    }
  }

 private:
  std::vector<double> features_;  // (samples, features)
  std::vector<std::uint16_t> labels_;
};

template <class Model>
auto batch_for(gradient_check_settings const &s) {
  if constexpr (Model::learns_from_samples)
    return random_batch<Model>(s.samples, s.seed);
  else
    return no_samples{};
}

/// Loss and gradient of node 0 at its first step.
template <class Backend, class Model>
class one_gradient {
 public:
  one_gradient(Model const &model, gradient_check_settings const &s)
      : model_(model),
        settings_(s),
        source_(batch_for<Model>(s)),
        workspace_(workspace_on<Model, double, worker_type>(s.samples)),
        gradient_(row_length<Model>) {}

  double loss(std::span<double const> x) {
    node const i = 0;
    std::uint64_t const step = 0;
    double found = 0;
    model_.gradient(worker_, training_task<double, decltype(source_)>{1,
                                                                      settings_.samples,
                                                                      settings_.seed,
                                                                      &i,
                                                                      &step,
                                                                      {x.data(), 0},
                                                                      {gradient_.data(), 0},
                                                                      {workspace_.data(), 0},
                                                                      {&found, 0},
                                                                      source_});
    return found;
  }
  double gradient(std::size_t parameter) const { return gradient_.data()[parameter]; }

 private:
  using worker_type = typename Backend::worker;
  Model const &model_;
  gradient_check_settings const &settings_;
  decltype(batch_for<Model>(gradient_check_settings{})) source_;
  host_buffer<std::byte> workspace_;
  host_buffer<double> gradient_;
  worker_type worker_;
};

}  // namespace detail

/// Compares the gradient that a model computes at its start with central differences of its mean
/// loss on one batch. Returns the worst of the parameters that are compared. Throws gossip::error
/// with its number, gradient and difference where the tolerance does not hold or one is not finite.
template <class Backend = serial, model Model>
gradient_difference check_gradient(Model const &of, gradient_check_settings const &s = {}) {
  std::vector<double> x(row_length<Model>);
  of.initialise(std::span<double>(x), s.seed);
  detail::one_gradient<Backend, Model> exact(of, s), moved(of, s);
  exact.loss(x);
  gradient_difference worst;
  std::size_t const stride = std::max<std::size_t>(1, Model::parameters / s.parameters);
  for (std::size_t p = 0; p < Model::parameters; p += stride) {
    double const before = x[p];
    x[p] = before + s.step;
    double const above = moved.loss(x);
    x[p] = before - s.step;
    double const below = moved.loss(x);
    x[p] = before;
    gradient_difference const found{p, exact.gradient(p), (above - below) / (2 * s.step)};
    if (!(found.error() <= worst.error())) worst = found;
  }
  if (!(worst.error() <= s.tolerance))
    throw error("check_gradient: parameter " + std::to_string(worst.parameter) + ": expected " +
                detail::shortest(worst.difference) + ", the central difference of the loss, got " +
                detail::shortest(worst.gradient));
  return worst;
}

/// The same of a layer on an input of this shape, behind a convolution that learns by the gradient
/// of the layer's input, and below the loss.
template <class Layer, tensor_shape In, class Backend = serial>
gradient_difference check_layer_gradient(gradient_check_settings const &s = {}) {
  using around =
      sequential<input<In.channels, In.height, In.width>, conv2d<In.channels, 1>, Layer, dense<3>>;
  return check_gradient<Backend>(around{}, s);
}

}  // namespace gossip
