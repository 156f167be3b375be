// gossip-parity-mixed FOLDER: one gradient of a network with joins and batch normalisation in fp16,
// sums in double so that two programs find the same ones, and what another framework needs to
// repeat it.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <gossip/model/gradient_worker.hpp>

#include "../zoo/passes.hpp"
#include "files.hpp"

namespace gossip::parity {
namespace {

constexpr std::size_t batch = 18;  // two chunks
constexpr double scale = 1024;

template <class Model>
json pass(std::string const &folder, std::string const &name) {
  auto const drawn = test::random_images<double, Model>(batch, 0);
  std::vector<double> row(row_length<Model>);
  Model const model;
  model.initialise(std::span<double>(row), 3);
  gradient_worker<Model, double, cpu, test::images<double> const, mixed_precision<fp16>> worker(
      model, drawn, 1, batch);
  gradient_task<double> const task{0, 0, stored_row<double>(row.data()), &scale};
  gradient_result result{};
  worker.compute({&task, 1}, &result);
  auto const [loss, finite] = result;
  if (!finite) throw error(name + ": the gradient overflows");
  std::vector<double> const gradient(worker.gradient(0), worker.gradient(0) + row_length<Model>);
  return {{"model", name},
          {"scale", scale},
          {"loss", loss},
          {"start", write(folder, name + ".start", row)},
          {"images", write(folder, name + ".images", drawn.features)},
          {"labels", write(folder, name + ".labels", drawn.labels)},
          {"gradient", write(folder, name + ".gradient", gradient)}};
}

}  // namespace
}  // namespace gossip::parity

int main(int argc, char **argv) {
  using namespace gossip;
  try {
    if (argc != 2) throw input_error("usage: gossip-parity-mixed FOLDER");
    std::string const folder = argv[1];
    parity::json const manifest = {parity::pass<lenet5_classic>(folder, "lenet5_classic"),
                                   parity::pass<resnet20>(folder, "resnet20")};
    std::ofstream(folder + "/manifest.json") << manifest.dump(1) << '\n';
  } catch (std::exception const &e) {
    std::cerr << "gossip-parity-mixed: " << e.what() << '\n';
    return 1;
  }
}
