// Tensors of a row: where each trainable tensor of a model lies in the row of a node, and its shape
// as a matrix.
#pragma once

#include <cstddef>
#include <span>

namespace gossip {

/// A matrix that a layer keeps in the row of a node, row by row. Weights of a dense layer are
/// (units, inputs), kernels of a convolution (filters, channels * height * width); a vector of n
/// numbers, such as biases or scales, is (n, 1).
struct tensor_matrix {
  std::size_t rows = 0, columns = 1;

  constexpr std::size_t size() const { return rows * columns; }
  constexpr bool is_vector() const { return columns == 1; }
  constexpr bool operator==(tensor_matrix const &) const = default;
};

/// The same and its first column in the row of a node.
struct row_tensor : tensor_matrix {
  std::size_t first = 0;

  constexpr row_tensor() = default;
  constexpr row_tensor(std::size_t at, tensor_matrix const &shape)
      : tensor_matrix(shape), first(at) {}
  constexpr bool operator==(row_tensor const &) const = default;
};

/// The trainable columns of a row, of which every one belongs to one tensor; tensors are in
/// ascending order of their columns. A view, of device memory where functions run on a device.
class row_tensors {
 public:
  constexpr row_tensors() = default;
  constexpr explicit row_tensors(std::span<row_tensor const> tensors)
      : tensors_(tensors.data()), count_(tensors.size()) {}

  constexpr std::size_t size() const { return count_; }
  constexpr row_tensor const &operator[](std::size_t k) const { return tensors_[k]; }
  constexpr row_tensor const *begin() const { return tensors_; }
  constexpr row_tensor const *end() const { return tensors_ + count_; }

  /// Trainable columns of the row.
  constexpr std::size_t columns() const {
    return count_ == 0 ? 0 : tensors_[count_ - 1].first + tensors_[count_ - 1].size();
  }

 private:
  row_tensor const *tensors_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace gossip
