// Raw little-endian numbers in files of their own, and JSON that says which is which.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>

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

}  // namespace gossip::parity
