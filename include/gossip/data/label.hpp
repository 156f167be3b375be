// The label of a sample as files of numbers say it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/dataset.hpp>

namespace gossip::detail {

/// The class that a number names: 4 and 4.0 alike. Throws input_error "where: expected a whole
/// label from 0 to 65534, got 4.5".
inline std::uint16_t label_of(double number, std::string const &where) {
  constexpr std::size_t most = dataset::max_classes - 1;
  if (!(number >= 0 && number <= most && number == std::floor(number)))
    throw input_error(where, "a whole label from 0 to " + std::to_string(most), shortest(number));
  return static_cast<std::uint16_t>(number);
}

/// Classes that hold all labels of a training and a test set: a class may be in one of them alone.
inline std::size_t classes_of(std::span<std::uint16_t const> train,
                              std::span<std::uint16_t const> test) {
  std::size_t classes = 0;
  for (auto const labels : {train, test})
    for (std::uint16_t const label : labels) classes = std::max(classes, label + std::size_t{1});
  return classes;
}

}  // namespace gossip::detail
