// An array as NumPy saves it. NumPy enhancement proposal 1: a magic word, a version, the length of
// a header, a Python dictionary with descr, fortran_order and shape, then the numbers.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/data/detail/zip_file.hpp>

namespace gossip::detail {

/// Numbers of one kind in row-major order; bytes that may lie in a mapped file.
class numpy_array {
 public:
  /// where: for sentences, "x.npz: y_train.npy".
  numpy_array(std::string where, shared_bytes file)
      : where_(std::move(where)), data_(std::move(file)) {
    auto const &bytes = data_.bytes;
    bool const known = bytes.size() >= 10 && std::memcmp(bytes.data(), "\x93NUMPY", 6) == 0;
    if (!known) throw input_error(where_, "an array of NumPy (.npy)", "other bytes");
    std::size_t const width = bytes[6] == 1 ? 2 : 4;
    std::size_t const begin = 8 + width;
    std::size_t const length = begin <= bytes.size() ? little_endian(bytes.subspan(8, width)) : 0;
    if (begin > bytes.size() || length > bytes.size() - begin)
      throw input_error(where_, "a header", "the end of the file");
    read_header({reinterpret_cast<char const *>(bytes.data()) + begin, length});
    data_.bytes = bytes.subspan(begin + length);
    std::size_t count = width_of_number();
    for (std::size_t const extent : shape_) {
      if (extent > 0 && count > std::numeric_limits<std::size_t>::max() / extent)
        throw input_error(where_, "an array of fewer than 2^64 bytes", text_of(shape_));
      count *= extent;
    }
    if (data_.bytes.size() != count)
      throw input_error(where_, std::to_string(count) + " bytes of numbers",
                        std::to_string(data_.bytes.size()));
  }

  std::string const &where() const { return where_; }
  std::vector<std::size_t> const &shape() const { return shape_; }
  /// The kind of the numbers as NumPy names it, without their order of bytes: "f4", "u1", "i8", ...
  std::string const &kind() const { return kind_; }
  shared_bytes const &data() const { return data_; }

  /// Number k, whatever its kind.
  double operator[](std::size_t k) const {
    std::uint8_t const *const at = data_.bytes.data() + k * width_of_number();
    if (kind_ == "f4") return loaded<float>(at);
    if (kind_ == "f8") return loaded<double>(at);
    if (kind_ == "u1" || kind_ == "b1") return *at;
    if (kind_ == "i1") return loaded<std::int8_t>(at);
    if (kind_ == "u2") return loaded<std::uint16_t>(at);
    if (kind_ == "i2") return loaded<std::int16_t>(at);
    if (kind_ == "u4") return loaded<std::uint32_t>(at);
    if (kind_ == "i4") return loaded<std::int32_t>(at);
    if (kind_ == "u8") return static_cast<double>(loaded<std::uint64_t>(at));
    return static_cast<double>(loaded<std::int64_t>(at));
  }

 private:
  template <class V>
  static V loaded(std::uint8_t const *at) {
    V value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }

  std::size_t width_of_number() const { return static_cast<std::size_t>(kind_[1] - '0'); }

  /// The text behind a key of the dictionary.
  std::string_view value_of(std::string_view header, std::string_view key) const {
    std::size_t const at = header.find(key);
    if (at == std::string_view::npos)
      throw input_error(where_, "a header with " + std::string(key), "none");
    std::string_view rest = header.substr(at + key.size());
    std::size_t const first = rest.find_first_not_of(": ");
    return rest.substr(first == std::string_view::npos ? rest.size() : first);
  }

  static std::string text_of(std::vector<std::size_t> const &shape) {
    std::string text = "shape (";
    for (std::size_t const extent : shape) text += std::to_string(extent) + ", ";
    return text + ")";
  }

  void read_header(std::string_view header) {
    std::string_view const kind = value_of(header, "'descr'");
    static constexpr std::string_view kinds = "f4 f8 u1 b1 i1 u2 i2 u4 i4 u8 i8";
    bool const told = kind.size() >= 5 && kind[0] == '\'' && kind[4] == '\'';
    bool const ours = told && (kind[1] == '|' || kind[1] == '=' ||
                               kind[1] == (std::endian::native == std::endian::little ? '<' : '>'));
    if (!ours || kinds.find(kind.substr(2, 2)) == std::string_view::npos)
      throw input_error(where_,
                        "numbers in the byte order of this machine (" + std::string(kinds) + ")",
                        std::string(kind.substr(0, kind.find(','))));
    kind_ = kind.substr(2, 2);
    if (value_of(header, "'fortran_order'").starts_with("True"))
      throw input_error(where_, "rows in consecutive places (numpy.ascontiguousarray)",
                        "columns in consecutive places");
    std::string_view rest = value_of(header, "'shape'");
    rest = rest.substr(0, rest.find(')'));
    while (!rest.empty()) {
      std::size_t extent = 0;
      auto const [stop, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
      if (fault == std::errc{}) shape_.push_back(extent);
      rest.remove_prefix(fault == std::errc{} ? static_cast<std::size_t>(stop - rest.data()) : 1);
    }
  }

  std::string where_;
  std::string kind_;
  std::vector<std::size_t> shape_;
  shared_bytes data_;
};

}  // namespace gossip::detail
