// A tensor of a model's row by its name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gossip {

/// Columns of a row from `first` on, row-major.
struct named_tensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t first = 0;

  std::size_t size() const {
    std::size_t product = 1;
    for (std::size_t const extent : shape) product *= extent;
    return product;
  }
};

}  // namespace gossip
