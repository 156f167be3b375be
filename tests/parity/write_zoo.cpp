// gossip-parity-zoo FOLDER: trains each large model of the zoo for a step or two on random images
// and writes what another framework needs to do the same: start, batches, the rows afterwards,
// and the losses of images under the statistics that the row then holds.
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/optimizer/sgd.hpp>

#include "../zoo/passes.hpp"
#include "files.hpp"

namespace gossip::parity {
namespace {

constexpr std::uint64_t seed = 3;
constexpr sgd optimizer{.rate = 0.05, .momentum = 0.9, .weight_decay = 1e-3};

struct task {
  std::string name;
  std::size_t batch, steps;
  std::size_t tested = 3;  // images evaluated, each by itself and all together
};

/// One precision of one model; files begin with the name given.
template <class T, class Model>
json train(std::string const &folder, std::string const &name, task const &t) {
  using passes = test::passes<T, Model>;
  std::vector<T> row(row_length<Model>), velocity(row_length<Model>);
  Model{}.initialise(std::span<T>(row), seed);
  json run = {{"number", sizeof(T) == 4 ? "float32" : "float64"},
              {"start", write(folder, name + ".start", row)},
              {"losses", json::array()},
              {"test_losses", json::array()}};
  auto const step = arithmetic<T>(optimizer, false, Model::parameters);
  for (std::size_t s = 0; s < t.steps; ++s) {
    auto const found = passes::gradient(row, test::random_images<T, Model>(t.batch, s));
    step.absorb_and_step(step.scale(optimizer.rate, s + 1), found.gradient.data(),
                         {0, row_length<Model>, row.data(), {velocity.data()}});
    run["losses"].push_back(found.loss);
  }
  run["after"] = write(folder, name + ".after", row);
  run["named"] = write_named<Model>(folder, name + ".safetensors", row);
  std::size_t const width = Model::sample.size();
  auto const all = test::random_images<T, Model>(t.tested, t.steps);
  for (std::size_t i = 0; i < t.tested; ++i) {
    auto const first = all.features.begin() + static_cast<std::ptrdiff_t>(i * width);
    test::images<T> const one{{first, first + static_cast<std::ptrdiff_t>(width)}, {all.labels[i]}};
    run["test_losses"].push_back(passes::scores(row, one).loss);
  }
  evaluation const together = passes::scores(row, all);
  run["test_losses"].push_back(together.loss);
  run["correct"] = together.correct;
  return run;
}

/// One model in both precisions, with its batches and, behind them, the images to be tested on.
template <class Model>
json train_both(std::string const &folder, task const &t) {
  std::vector<float> images;
  std::vector<std::uint16_t> labels;
  for (std::size_t s = 0; s <= t.steps; ++s) {
    auto const drawn = test::random_images<float, Model>(s < t.steps ? t.batch : t.tested, s);
    images.insert(images.end(), drawn.features.begin(), drawn.features.end());
    labels.insert(labels.end(), drawn.labels.begin(), drawn.labels.end());
  }
  return {{"model", t.name},
          {"batch", t.batch},
          {"steps", t.steps},
          {"images", write(folder, t.name + ".images", images)},
          {"labels", write(folder, t.name + ".labels", labels)},
          {"runs",
           {train<float, Model>(folder, t.name + ".float", t),
            train<double, Model>(folder, t.name + ".double", t)}}};
}

void write_all(std::string const &folder) {
  json manifest = {{"rate", optimizer.rate},
                   {"momentum", optimizer.momentum},
                   {"weight_decay", optimizer.weight_decay}};
  manifest["models"] = {
      // A whole chunk and a part of one: 64 lanes, or 16 where a layer looks at the whole batch.
      train_both<lenet5_classic>(folder, {"lenet5_classic", 70, 2}),
      train_both<lenet5_cifar10>(folder, {"lenet5_cifar10", 70, 2}),
      train_both<resnet20>(folder, {"resnet20", 18, 2}),
      train_both<resnet18>(folder, {"resnet18", 4, 1}),
      train_both<vgg11>(folder, {"vgg11", 6, 1}),
      train_both<vgg16>(folder, {"vgg16", 6, 1})};
  std::ofstream(folder + "/manifest.json") << manifest.dump(1) << '\n';
}

}  // namespace
}  // namespace gossip::parity

int main(int argc, char **argv) {
  try {
    if (argc != 2) throw gossip::input_error("usage: gossip-parity-zoo FOLDER");
    gossip::parity::write_all(argv[1]);
  } catch (std::exception const &e) {
    std::cerr << "gossip-parity-zoo: " << e.what() << '\n';
    return 1;
  }
}
