// An array as NumPy saves it. NumPy enhancement proposal 1: a magic word, a version, the length of
// a header, a Python dictionary with descr, fortran_order and shape, then the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/data/byte_source.hpp>

namespace gossip::detail {

/// Numbers of one kind in row-major order; bytes that may lie in a mapped file.
class numpy_array {
 public:
  /// where: for sentences, "x.npz: y_train.npy".
  numpy_array(std::string where, shared_bytes file);

  std::string const &where() const { return where_; }
  std::vector<std::size_t> const &shape() const { return shape_; }
  /// The kind of the numbers as NumPy names it, without their order of bytes: "f4", "u1", "i8", ...
  std::string const &kind() const { return kind_; }
  shared_bytes const &data() const { return data_; }

  /// Number k, whatever its kind.
  double operator[](std::size_t k) const;

 private:
  template <class V>
  static V loaded(std::uint8_t const *at) {
    V value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }

  std::size_t width_of_number() const { return static_cast<std::size_t>(kind_[1] - '0'); }

  /// The text behind a key of the dictionary.
  std::string_view value_of(std::string_view header, std::string_view key) const;

  static std::string text_of(std::vector<std::size_t> const &shape) {
    std::string text = "shape (";
    for (std::size_t const extent : shape) text += std::to_string(extent) + ", ";
    return text + ")";
  }

  void read_header(std::string_view header);

  std::string where_;
  std::string kind_;
  std::vector<std::size_t> shape_;
  shared_bytes data_;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/numpy_array.ipp>
#endif
