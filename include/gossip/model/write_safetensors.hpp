// Writes a model as safetensors, the file format of Hugging Face: 8 bytes with the length of a JSON
// header, little-endian, the header, then all numbers.
#pragma once

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/model/named_tensors.hpp>

namespace gossip {

namespace detail {

/// The header, with spaces behind it up to a multiple of 8 bytes. Names are plain: letters, digits,
/// dots.
inline std::string safetensors_header(std::vector<named_tensor> const &tensors, char const *type,
                                      std::size_t bytes) {
  std::string text = "{";
  std::size_t begin = 0;
  for (named_tensor const &one : tensors) {
    std::size_t const end = begin + one.size() * bytes;
    text += begin == 0 ? "\"" : ",\"";
    text += one.name + R"(":{"dtype":")" + type + R"(","shape":[)";
    for (std::size_t k = 0; k < one.shape.size(); ++k)
      text.append(k == 0 ? "" : ",").append(std::to_string(one.shape[k]));
    text += R"(],"data_offsets":[)";
    text += std::to_string(begin) + "," + std::to_string(end) + "]}";
    begin = end;
  }
  text += "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace detail

/// Writes a row (d), float as F32 and double as F64, beside the path first: a file is there whole
/// or not at all. Throws error where it cannot be written.
template <class T>
void write_safetensors(std::string const &path, std::vector<named_tensor> const &tensors,
                       std::span<T const> row) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "gossip::write_safetensors: a row must be of float or double.");
  static_assert(std::endian::native == std::endian::little);
  std::string const header =
      detail::safetensors_header(tensors, sizeof(T) == 4 ? "F32" : "F64", sizeof(T));
  std::string const beside = path + ".part";
  std::uint64_t const length = header.size();
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<char const *>(&length), sizeof length);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  for (named_tensor const &one : tensors)
    file.write(reinterpret_cast<char const *>(row.subspan(one.first, one.size()).data()),
               static_cast<std::streamsize>(one.size() * sizeof(T)));
  file.close();
  if (file && std::rename(beside.c_str(), path.c_str()) == 0) return;
  std::string const reason = std::strerror(errno);
  std::remove(beside.c_str());
  throw error(path + ": cannot be written: " + reason);
}

}  // namespace gossip
