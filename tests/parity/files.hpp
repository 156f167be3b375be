// Raw little-endian numbers in files of their own, and JSON that says which is which.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/read_safetensors.hpp>
#include <gossip/model/write_safetensors.hpp>

namespace gossip::parity {

using nlohmann::json;

/// Writes folder/name; returns the name.
template <class T>
json write(std::string const &folder, std::string const &name, std::vector<T> const &numbers) {
  std::ofstream file(folder + "/" + name, std::ios::binary);
  file.write(reinterpret_cast<char const *>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(T)));
  if (!file) throw error(folder + "/" + name + ": cannot be written");
  return name;
}

/// The same of a model's row, its tensors by name, as safetensors; what is read again is the row.
template <class Model, class T>
json write_named(std::string const &folder, std::string const &name, std::vector<T> const &row) {
  auto const tensors = named_tensors<Model>();
  write_safetensors<T>(folder + "/" + name, tensors, row);
  if (read_safetensors<T>(folder + "/" + name, tensors) != row)
    throw error(folder + "/" + name + ": other numbers are read than were written");
  return name;
}

}  // namespace gossip::parity
