// gossip-parity DIGITS FOLDER: trains the zoo with every optimizer and writes what another
// framework needs to do the same: start, batches, and the parameters after some steps, raw and
// little-endian, with manifest.json to say which is which.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "train.hpp"

namespace gossip::parity {
namespace {

/// The batches that node 0 gets, in order: (steps, batch) samples and labels.
json write_batches(std::string const &folder, dataset const &data) {
  auto const shares = split(data, iid{}).assign(1, seed);
  std::vector<std::uint32_t> indices(batch);
  std::vector<float> images;
  std::vector<std::uint16_t> labels;
  std::vector<float> image(data.shape().size());
  for (std::uint64_t step = 0; step < last_step; ++step) {
    batch_indices(seed, 0, step, shares[0], indices);
    for (std::uint32_t const i : indices) {
      data.copy_sample(i, image);
      images.insert(images.end(), image.begin(), image.end());
      labels.push_back(data.labels()[i]);
    }
  }
  return {{"batch", batch},
          {"steps", steps},
          {"images", write(folder, "images", images)},
          {"labels", write(folder, "labels", labels)}};
}

void write_all(std::string const &digits_folder, std::string const &folder) {
  auto const [data, test] = digits(digits_folder);
  json manifest = write_batches(folder, data);
  manifest["models"] = train_zoo<float>(folder, data);
  for (json const &entry : train_zoo<double>(folder, data)) manifest["models"].push_back(entry);
  std::ofstream(folder + "/manifest.json") << manifest.dump(1) << '\n';
}

}  // namespace
}  // namespace gossip::parity

int main(int argc, char **argv) {
  try {
    if (argc != 3) throw gossip::input_error("usage: gossip-parity DIGITS FOLDER");
    gossip::parity::write_all(argv[1], argv[2]);
  } catch (std::exception const &e) {
    std::cerr << "gossip-parity: " << e.what() << '\n';
    return 1;
  }
}
