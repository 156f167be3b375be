// Writes a model as safetensors, the file format of Hugging Face (model/safetensors.hpp).
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
#include <gossip/model/safetensors.hpp>

namespace gossip {

/// Writes a row (d), float as F32 and double as F64, beside the path first: a file is there whole
/// or not at all. Throws error where it cannot be written.
template <class T>
void write_safetensors(std::string const &path, std::vector<named_tensor> const &tensors,
                       std::span<T const> row) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "gossip::write_safetensors: a row must be of float or double.");
  static_assert(std::endian::native == std::endian::little);
  std::vector<detail::safetensors_entry> entries;
  std::uint64_t end = 0;
  for (named_tensor const &one : tensors) {
    std::uint64_t const begin = end;
    end += one.size() * sizeof(T);
    entries.push_back({one.name, sizeof(T) == 4 ? "F32" : "F64", one.shape, begin, end});
  }
  std::string const header = detail::safetensors_header(entries);
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
