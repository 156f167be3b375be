// IDX files: images and labels as MNIST and its relatives are published, plain or gzipped.
// Y. LeCun, C. Cortes, C. J. C. Burges, "The MNIST database of handwritten digits": big-endian
// 32-bit words (magic, count, rows, columns), then one unsigned byte a pixel, row major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <gossip/data/dataset.hpp>

namespace gossip {

/// Zero mean and unit variance over the training images of MNIST: (byte / 255 - 0.1307) / 0.3081.
inline constexpr byte_scale mnist_scale = normalising(0.1307, 0.3081);

namespace detail {

/// The file of an IDX set under one of its usual names: train-images-idx3-ubyte as published,
/// train-images.idx3-ubyte as some tools unpack it, each with or without .gz.
std::string find_idx(std::string const &folder, std::string const &stem, std::string const &kind);

}  // namespace detail

/// The samples of an image file and its label file, one channel, features stored as bytes; a plain
/// image file is mapped, not copied. Throws input_error "path: byte 4: expected ..., got ..." for
/// anything that is not such a pair.
dataset read_idx(std::string const &images_path, std::string const &labels_path,
                 std::size_t classes = 10, byte_scale scale = {});

/// MNIST from a folder with its four IDX files: 60,000 training and 10,000 test images of 28 x 28,
/// normalised by mnist_scale.
std::pair<dataset, dataset> mnist(std::string const &folder);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/idx.ipp>
#endif
