// Data sets from arrays that Python has saved: numpy.savez("set.npz", x_train=..., y_train=...,
// x_test=..., y_test=...), or a folder with four .npy files of these names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <gossip/core/described.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/detail/zip_file.hpp>

namespace gossip {

/// The place of the channels in arrays of four dimensions: before rows and columns, as in PyTorch,
/// or behind them, as in TensorFlow.
enum class channel_order { first, last };

template <>
struct value_names<channel_order> {
  static constexpr std::array<char const *, 2> names{"first", "last"};
};

/// Training and test samples of an .npz file, or of a folder of .npy files, with the arrays
/// x_train, y_train, x_test and y_test. Features are (n, features), (n, rows, columns) or
/// four-dimensional, labels n whole numbers from 0. Bytes are scaled to 0..1 and other numbers
/// become floats as they are; training and test samples are both of bytes or both not. Both sets
/// have as many classes as the labels of either say. Throws input_error, by file and array, for
/// anything else.
std::pair<dataset, dataset> numpy_sets(std::string const &path,
                                       channel_order order = channel_order::first);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/numpy.ipp>
#endif
