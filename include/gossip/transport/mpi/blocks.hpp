// Blocks of bytes as MPI counts them. Its counts are ints: what is larger than two gigabytes is
// counted in units of many bytes, a derived type.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>

namespace gossip::detail {

/// MPI's codes are always checked.
inline void check_mpi(int code, char const *call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// The largest count.
inline constexpr std::size_t mpi_most = std::numeric_limits<int>::max();

/// Bytes of a unit that divides `divisor`, so that it and the count of all bytes are at most
/// `most`.
inline std::size_t unit_of(std::size_t bytes, std::size_t divisor, std::size_t most) {
  if (bytes <= most) return 1;
  for (std::size_t k = (divisor + most - 1) / most; bytes / divisor * k <= most; ++k)
    if (divisor % k == 0) return divisor / k;
  throw error("mpi: expected blocks that are multiples of " + std::to_string(bytes / most + 1) +
              " bytes or more, got " + std::to_string(bytes) + " bytes in multiples of " +
              std::to_string(divisor));
}

/// A type of so many bytes, for calls while it is there.
class mpi_unit {
 public:
  explicit mpi_unit(std::size_t bytes) : bytes_(bytes) {
    if (bytes_ == 1) return;
    check_mpi(MPI_Type_contiguous(static_cast<int>(bytes_), MPI_BYTE, &type_),
              "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  mpi_unit(mpi_unit const &) = delete;
  mpi_unit &operator=(mpi_unit const &) = delete;
  ~mpi_unit() {
    if (bytes_ != 1) MPI_Type_free(&type_);
  }

  MPI_Datatype type() const { return type_; }
  int count(std::size_t bytes) const { return static_cast<int>(bytes / bytes_); }

 private:
  std::size_t bytes_;
  MPI_Datatype type_ = MPI_BYTE;
};

/// Blocks one after another, of so many bytes each.
class mpi_blocks {
 public:
  mpi_blocks(std::span<std::size_t const> sizes, std::size_t most)
      : unit_(unit_of(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}),
                      divisor_of(sizes), most)) {
    std::size_t total = 0;
    for (std::size_t const size : sizes) {
      counts_.push_back(unit_.count(size));
      offsets_.push_back(unit_.count(total));
      total += size;
    }
  }

  MPI_Datatype type() const { return unit_.type(); }
  int const *counts() const { return counts_.data(); }
  int const *offsets() const { return offsets_.data(); }

 private:
  static std::size_t divisor_of(std::span<std::size_t const> sizes) {
    std::size_t divisor = 0;
    for (std::size_t const size : sizes) divisor = std::gcd(divisor, size);
    return divisor;
  }

  mpi_unit unit_;
  std::vector<int> counts_, offsets_;
};

/// f(piece, count) of values in pieces that MPI can count.
template <class V, class F>
void in_pieces(std::span<V> values, std::size_t most, F f) {
  for (std::size_t first = 0; first < values.size(); first += most) {
    auto const piece = values.subspan(first, std::min(most, values.size() - first));
    f(piece.data(), static_cast<int>(piece.size()));
  }
}

}  // namespace gossip::detail
