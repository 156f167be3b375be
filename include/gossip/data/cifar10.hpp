// CIFAR-10 in its binary version, plain or gzipped: records of a label and the red, the green and
// the blue plane of an image, row by row. A. Krizhevsky, "Learning multiple layers of features from
// tiny images", 2009.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/data/dataset.hpp>

namespace gossip {

inline constexpr sample_shape cifar10_shape{.channels = 3, .height = 32, .width = 32};

/// Zero mean and unit variance of each colour over the 50,000 training images.
inline std::vector<byte_scale> cifar10_scales() {
  return {normalising(0.4914, 0.2470), normalising(0.4822, 0.2435), normalising(0.4465, 0.2616)};
}

namespace detail {

/// A gzipped file may hold this many, 3 GB of them; a plain file, which takes no memory, any
/// number.
inline constexpr std::size_t most_cifar10_records = 100'000;

std::vector<std::string> cifar10_paths(std::string const &folder, bool test);

}  // namespace detail

/// The images of all records of these files, in the order given, 3 x 32 x 32 and stored as bytes.
/// Plain files are mapped, not copied: processes that read the same ones share the memory. Throws
/// input_error "path: record 3, byte 9219: expected ..., got ..." for what is not such a file.
dataset cifar10_batches(std::vector<std::string> const &paths,
                        std::vector<byte_scale> scales = cifar10_scales());

/// CIFAR-10 from a folder: training images from data_batch_1.bin, data_batch_2.bin and so on, test
/// images from test_batch.bin or, where that is not there, all of test_batch*.bin; each may be
/// gzipped. Normalised by cifar10_scales.
inline std::pair<dataset, dataset> cifar10(std::string const &folder) {
  auto const part = [&](bool test) { return cifar10_batches(detail::cifar10_paths(folder, test)); };
  return {part(false).named("cifar10 train"), part(true).named("cifar10 test")};
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/cifar10.ipp>
#endif
