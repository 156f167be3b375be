// Non-owning views over rows of numbers.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace gossip {

/// A matrix whose rows are nodes or samples; row i begins at data + i * stride, columns wide.
template <class T>
struct rows_view {
  T *data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;

  constexpr std::span<T> operator[](std::size_t row) const {
    return {data + row * stride, columns};
  }
  template <std::same_as<T const> U>
    requires(!std::is_const_v<T>)
  constexpr operator rows_view<U>() const {
    return {data, rows, columns, stride};
  }
};

}  // namespace gossip
