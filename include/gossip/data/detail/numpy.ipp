// Definitions of data/numpy.hpp.
#pragma once

#include <gossip/data/numpy.hpp>

#include <filesystem>
#include <system_error>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/data/detail/numpy_array.hpp>
#include <gossip/data/label.hpp>

namespace gossip {

namespace detail {

/// The shape of a sample of an array (n, features), (n, rows, columns), or with channels.
GOSSIP_INLINE sample_shape numpy_shape(numpy_array const &x, channel_order order) {
  std::vector<std::size_t> const &s = x.shape();
  sample_shape shape;
  if (s.size() == 2)
    shape = {1, 1, s[1]};
  else if (s.size() == 3)
    shape = {1, s[1], s[2]};
  else if (s.size() == 4)
    shape = order == channel_order::first ? sample_shape{s[1], s[2], s[3]}
                                          : sample_shape{s[3], s[1], s[2]};
  else
    throw input_error(x.where(), "an array of 2 to 4 dimensions, samples first",
                      std::to_string(s.size()) + " dimensions");
  check_shape(x.where(), shape);
  return shape;
}

GOSSIP_INLINE std::vector<std::uint16_t> numpy_labels(numpy_array const &y, std::size_t samples) {
  std::size_t count = 1;
  for (std::size_t const extent : y.shape()) count *= extent;
  if (y.shape().empty() || y.shape()[0] != samples || count != samples)
    throw input_error(y.where(), std::to_string(samples) + " labels, one for each sample",
                      std::to_string(count));
  std::vector<std::uint16_t> labels(samples);
  for (std::size_t k = 0; k < samples; ++k)
    labels[k] = label_of(y[k], y.where() + ": place " + std::to_string(k));
  return labels;
}

/// Throws input_error unless samples of test and training have one shape and one scale: bytes are
/// scaled to 0..1, other numbers are not.
GOSSIP_INLINE void require_alike(numpy_array const &train, numpy_array const &test,
                                 channel_order order) {
  auto const text = [](sample_shape s) {
    return std::to_string(s.channels) + "x" + std::to_string(s.height) + "x" +
           std::to_string(s.width);
  };
  sample_shape const expected = numpy_shape(train, order), got = numpy_shape(test, order);
  if (expected != got)
    throw input_error(test.where(), "samples of " + text(expected) + ", as in the training set",
                      text(got));
  auto const kind = [](numpy_array const &x) {
    return x.kind() == "u1" ? std::string("bytes (u1), which are scaled to 0..1")
                            : "numbers (" + x.kind() + "), which are not scaled";
  };
  if ((train.kind() == "u1") != (test.kind() == "u1"))
    throw input_error(test.where(), kind(train) + ", as in the training set", kind(test));
}

/// Number k of a sample as the library has it, channel by channel.
GOSSIP_INLINE std::size_t numpy_place(sample_shape shape, channel_order order, std::size_t k) {
  if (order == channel_order::first) return k;
  return k % shape.plane() * shape.channels + k / shape.plane();
}

/// Bytes stay bytes, scaled to 0..1; all others become floats.
GOSSIP_INLINE dataset numpy_set(numpy_array const &x, std::vector<std::uint16_t> labels,
                                channel_order order, std::size_t classes) {
  sample_shape const shape = numpy_shape(x, order);
  std::size_t const samples = x.shape()[0], size = shape.size();
  bool const in_order = order == channel_order::first || shape.channels == 1;
  if (x.kind() == "u1" && in_order && samples > 0) {
    feature_rows<std::uint8_t> rows;
    rows.append({x.data().bytes.data(), samples, size, size}, x.data().owner);
    return {x.where(), shape, classes, std::move(rows), std::move(labels)};
  }
  auto const moved = [&]<class V>(std::vector<V> values) {
    for (std::size_t k = 0; k < samples * size; ++k)
      values[k] = static_cast<V>(x[k / size * size + numpy_place(shape, order, k % size)]);
    return dataset{x.where(), shape, classes, std::move(values), std::move(labels)};
  };
  if (x.kind() == "u1") return moved(std::vector<std::uint8_t>(samples * size));
  return moved(std::vector<float>(samples * size));
}

}  // namespace detail

GOSSIP_INLINE std::pair<dataset, dataset> numpy_sets(std::string const &path, channel_order order) {
  namespace fs = std::filesystem;
  auto const sets = [&](auto array) {
    auto const x = array("x_train"), y = array("y_train");
    auto const x_test = array("x_test"), y_test = array("y_test");
    detail::require_alike(x, x_test, order);
    auto train = detail::numpy_labels(y, x.shape()[0]);
    auto test = detail::numpy_labels(y_test, x_test.shape()[0]);
    std::size_t const classes = detail::classes_of(train, test);
    return std::pair{detail::numpy_set(x, std::move(train), order, classes),
                     detail::numpy_set(x_test, std::move(test), order, classes)};
  };
  if (std::error_code code; fs::is_directory(path, code))
    return sets([&](std::string const &name) {
      std::string const file = (fs::path(path) / (name + ".npy")).string();
      return detail::numpy_array(file, all_bytes(file));
    });
  detail::zip_file const file(path);
  return sets([&](std::string const &name) {
    return detail::numpy_array(path + ": " + name + ".npy", file[name + ".npy"]);
  });
}

}  // namespace gossip
