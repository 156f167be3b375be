// One gradient of a model on samples that a test holds in its hands, and its central differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/core/random.hpp>
#include <gossip/model/model.hpp>
#include <gossip/simulator/gradient_check.hpp>

#include "../catch.hpp"

namespace gossip::test {

template <class T>
std::vector<T> normal_numbers(std::size_t count, std::uint64_t draw, double deviation = 1.0) {
  keyed_random random(draw, purpose::user, 0, count);
  std::vector<T> numbers(count);
  for (T &x : numbers) x = static_cast<T>(deviation * random.normal());
  return numbers;
}

/// Samples with labels; every node of a task trains on all of them, in order.
template <class Model, class T>
struct samples {
  std::vector<T> features;  // (count, Model::sample.size())
  std::vector<std::uint16_t> labels;

  std::size_t count() const { return labels.size(); }

  static samples random(std::size_t count, std::uint64_t draw = 1) {
    samples s{normal_numbers<T>(count * Model::sample.size(), draw), {}};
    keyed_random random(draw, purpose::user, 1, count);
    for (std::size_t i = 0; i < count; ++i)
      s.labels.push_back(static_cast<std::uint16_t>(random.below(Model::classes)));
    return s;
  }

  samples part(std::size_t first, std::size_t number) const {
    auto const size = static_cast<std::ptrdiff_t>(Model::sample.size());
    auto const begin = static_cast<std::ptrdiff_t>(first),
               end = static_cast<std::ptrdiff_t>(number);
    return {{features.begin() + begin * size, features.begin() + (begin + end) * size},
            {labels.begin() + begin, labels.begin() + begin + end}};
  }

  template <class Worker, class Task>
  void load(Worker &, Task const &task, std::size_t first, std::size_t number, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> to) const {
    std::size_t const size = Model::sample.size();
    for (std::size_t j = 0; j < task.k; ++j) {
      std::fill_n(inputs.at(j), lanes * size, T{0});
      for (std::size_t l = 0; l < number; ++l) {
        for (std::size_t f = 0; f < size; ++f)
          inputs.at(j)[Model::sample_major ? l * size + f : f * lanes + l] =
              features[(first + l) * size + f];
        to.at(j)[l] = labels[first + l];
      }
    }
  }
};

/// The results of one call of gradient for k nodes.
template <class T>
struct learned {
  std::vector<T> gradient;   // (k, d)
  std::vector<double> loss;  // (k)
};

/// The gradients at parameters (k, d), with canaries behind everything that the model may write;
/// `team` cores work on each.
template <class Backend, class Model, class T>
learned<T> learn(Model const &model, std::vector<T> const &parameters,
                 samples<Model, T> const &batch, [[maybe_unused]] std::size_t team = 1) {
  constexpr std::size_t d = row_length<Model>, canaries = 64;
  constexpr T canary{1234.5};
  std::size_t const k = parameters.size() / d;
  std::size_t const bytes =
      (workspace_on<Model, T, typename Backend::worker>(batch.count()) + 63) / 64 * 64;
  std::size_t const stride = bytes + canaries;
  host_buffer<std::byte> workspace(k * stride);
  for (std::size_t j = 0; j < k; ++j)
    std::fill_n(workspace.data() + j * stride + bytes, canaries, std::byte{77});
  learned<T> result{std::vector<T>(k * (d + canaries), canary), std::vector<double>(k, -1.0)};
  std::vector<node> const nodes(k, 0);
  std::vector<std::uint64_t> const steps(k, 0);
  typename Backend::worker worker;
  if constexpr (requires { worker.team; }) worker.team = team;
  training_task<T, samples<Model, T> const> const task{k,
                                                       batch.count(),
                                                       1,
                                                       nodes.data(),
                                                       steps.data(),
                                                       {parameters.data(), d},
                                                       {result.gradient.data(), d + canaries},
                                                       {workspace.data(), stride},
                                                       {result.loss.data(), 1},
                                                       batch};
  cpu{1}.for_each(1, [&](std::size_t, std::size_t) { model.gradient(worker, task); });
  for (std::size_t j = 0; j < k; ++j) {
    std::byte const *const behind = workspace.data() + j * stride + bytes;
    CHECK(std::count(behind, behind + canaries, std::byte{77}) == canaries);
    auto const end = result.gradient.begin() + static_cast<std::ptrdiff_t>((j + 1) * d);
    CHECK(std::count(end, end + canaries, canary) == canaries);
    result.gradient.erase(end, end + canaries);
  }
  return result;
}

/// The start of a node, moved a little so that biases and weights differ in size.
template <class T, class Model>
std::vector<T> start_of(Model const &model, std::uint64_t seed = 1) {
  std::vector<T> row(row_length<Model>);
  model.initialise(std::span<T>(row), seed);
  return row;
}

/// A step of 1e-6 leaves errors of about 1e-12 from curvature and of 1e-15 / 1e-6 from rounding,
/// some of them added up.
template <class Backend, class Model>
void check_central_differences(Model const &model, std::size_t batch, std::size_t places) {
  CAPTURE(batch);
  CHECK_NOTHROW(check_gradient<Backend>(
      model, {.samples = batch, .parameters = places, .tolerance = 5e-9, .seed = batch}));
}

/// The largest difference of two rows, relative to the largest number of the second.
template <class T>
double distance(std::vector<T> const &got, std::vector<T> const &expected) {
  REQUIRE(got.size() == expected.size());
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const e = static_cast<double>(expected[i]);
    difference = std::max(difference, std::abs(static_cast<double>(got[i]) - e));
    size = std::max(size, std::abs(e));
    REQUIRE(std::isfinite(static_cast<double>(got[i])));
  }
  return size > 0.0 ? difference / size : difference;
}

}  // namespace gossip::test
