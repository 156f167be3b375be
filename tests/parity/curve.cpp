// gossip-parity-curve CIFAR10 FOLDER: trains ResNet-20 on CIFAR-10 and writes start, batches and
// the loss of every step: of 200 in float, of the first 10 in double too.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gossip/data/batch.hpp>
#include <gossip/data/cifar10.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/optimizer/sgd.hpp>

#include "../zoo/passes.hpp"
#include "files.hpp"

namespace gossip::parity {
namespace {

constexpr std::uint64_t seed = 3, float_steps = 200, double_steps = 10;
constexpr std::size_t batch = 32;
constexpr sgd optimizer{.rate = 0.05, .momentum = 0.9, .weight_decay = 1e-4};

/// The batch of node 0 at a step, as a run of a network of one node draws it from all samples.
test::images<float> batch_at(dataset const &data, std::uint64_t step) {
  std::vector<std::uint32_t> all(data.size()), drawn(batch);
  std::iota(all.begin(), all.end(), 0U);
  batch_indices(seed, 0, step, all, drawn);
  std::size_t const width = data.shape().size();
  test::images<float> images{std::vector<float>(batch * width), {}};
  for (std::size_t i = 0; i < batch; ++i) {
    data.copy_sample(drawn[i], std::span(images.features).subspan(i * width, width));
    images.labels.push_back(data.labels()[drawn[i]]);
  }
  return images;
}

struct batches {
  std::vector<float> images;          // (steps, batch, 3, 32, 32)
  std::vector<std::uint16_t> labels;  // (steps, batch)
};

/// Start and losses of the first steps; `written` takes their batches if it is not null.
template <class T>
json train(std::string const &folder, dataset const &data, std::uint64_t steps, batches *written) {
  std::string const name = sizeof(T) == 4 ? "float32" : "float64";
  std::vector<T> row(row_length<resnet20>), velocity(row.size());
  resnet20{}.initialise(std::span<T>(row), seed);
  json run = {
      {"number", name}, {"start", write(folder, name + ".start", row)}, {"losses", json::array()}};
  auto const step = arithmetic<T>(optimizer, false, resnet20::parameters);
  for (std::uint64_t s = 0; s < steps; ++s) {
    auto const drawn = batch_at(data, s);
    auto const found = test::passes<T, resnet20>::gradient(
        row, {{drawn.features.begin(), drawn.features.end()}, drawn.labels});
    step.absorb_and_step(step.scale(optimizer.rate, s + 1), found.gradient.data(),
                         {0, row.size(), row.data(), {velocity.data()}});
    run["losses"].push_back(found.loss);
    if (!written) continue;
    written->images.insert(written->images.end(), drawn.features.begin(), drawn.features.end());
    written->labels.insert(written->labels.end(), drawn.labels.begin(), drawn.labels.end());
  }
  return run;
}

void write_curves(std::string const &cifar10_folder, std::string const &folder) {
  dataset const data = cifar10(cifar10_folder).first;
  batches written;
  json manifest = {{"rate", optimizer.rate},
                   {"momentum", optimizer.momentum},
                   {"weight_decay", optimizer.weight_decay},
                   {"batch", batch}};
  manifest["runs"] = {train<float>(folder, data, float_steps, &written),
                      train<double>(folder, data, double_steps, nullptr)};
  manifest["images"] = write(folder, "images", written.images);
  manifest["labels"] = write(folder, "labels", written.labels);
  std::ofstream(folder + "/manifest.json") << manifest.dump(1) << '\n';
}

}  // namespace
}  // namespace gossip::parity

int main(int argc, char **argv) {
  try {
    if (argc != 3) throw gossip::input_error("usage: gossip-parity-curve CIFAR10 FOLDER");
    gossip::parity::write_curves(argv[1], argv[2]);
  } catch (std::exception const &e) {
    std::cerr << "gossip-parity-curve: " << e.what() << '\n';
    return 1;
  }
}
