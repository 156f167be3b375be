// The largest numbers of the cosine transform of every chunk of a row. B. Peng, J. Quesnelle,
// D. P. Kingma, "DeMo: decoupled momentum optimization", arXiv 2411.19870 (2024), section 3, whose
// chunks are squares of a matrix: here they are columns side by side, whatever tensors they are of.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/chunked_top_k.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/op/cosine_factors.hpp>
#include <gossip/op/cosine_top_k.hpp>
#include <gossip/op/cosine_transform.hpp>
#include <gossip/op/top_k.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::codec {

/// The orthonormal DCT-II of every `chunk` columns keeps its `kept` numbers of the greatest
/// magnitude, of equal ones those of lower frequencies. They travel with their frequencies, as
/// chunked_top_k has columns, and a chunk of no more columns than that travels as it is.
/// |v - Q(v)|^2 <= (1 - kept / chunk) |v|^2, up to rounding.
struct cosine_top_k {
  std::size_t chunk = 64, kept = 8;

  using function = op::cosine_top_k;

  std::array<double, 2> coefficients(std::size_t) const {
    return {static_cast<double>(chunk), static_cast<double>(kept)};
  }
  std::size_t bytes(std::size_t columns, std::size_t number) const {
    return chunked_top_k{chunk, kept}.bytes(columns, number);
  }
  void check() const {
    if (chunk < 1 || chunk > function::longest_chunk)
      throw input_error("cosine_top_k: chunk", "1 to " + std::to_string(function::longest_chunk),
                        std::to_string(chunk));
    if (kept < 1 || kept > chunk)
      throw input_error("cosine_top_k: kept", "1 to the chunk, " + std::to_string(chunk),
                        std::to_string(kept));
  }

  template <class T>
  std::vector<std::byte> encoded(std::span<T const> row, double = 0) const {
    bit_writer message;
    std::array<T, function::longest_chunk> given{}, left{};
    for (std::size_t first = 0; first < row.size(); first += chunk) {
      auto const part = row.subspan(first, std::min(chunk, row.size() - first));
      std::span<T const> sent = part;
      if (kept < part.size()) {
        std::copy(part.begin(), part.end(), given.begin());
        op::cosine_transform<T>::forward(op::cosine_formula<T>{}, part.size(), given.data(),
                                         left.data());
        op::largest_numbers{}(op::one_thread{}, left.data(), part.size(), kept);
        sent = std::span<T const>(left).first(part.size());
      }
      put_sparse<T>(message, sent, std::min(kept, part.size()), bits_below(chunk));
    }
    return std::move(message).bytes();
  }
  template <class T>
  void decode(std::span<std::byte const> message, std::span<T> row) const {
    bit_reader from(message);
    std::array<T, function::longest_chunk> sent{};
    for (std::size_t first = 0; first < row.size(); first += chunk) {
      auto const part = row.subspan(first, std::min(chunk, row.size() - first));
      bool const whole = kept >= part.size();
      take_sparse(from, whole ? part : std::span<T>(sent).first(part.size()),
                  std::min(kept, part.size()), bits_below(chunk));
      if (!whole)
        op::cosine_transform<T>::inverse(op::cosine_formula<T>{}, part.size(), sent.data(),
                                         part.data());
    }
  }

  static constexpr char const *name = "cosine_top_k";
  static constexpr char const *meaning =
      "the numbers of largest magnitude of the discrete cosine transform of every chunk of a row";
  static constexpr auto members() {
    return member_list{
        described("chunk", &cosine_top_k::chunk, "number of columns of a chunk",
                  {.least = 1, .most = function::longest_chunk}),
        described("kept", &cosine_top_k::kept, "number of entries of a chunk that are sent",
                  {.least = 1, .most = function::longest_chunk})};
  }
};
static_assert(row_codec<cosine_top_k> && encodes_bytes<cosine_top_k>);

}  // namespace gossip::codec
