// The largest numbers of every chunk of a row, whose columns take fewer bits. A. Sarfi, B. Therien,
// J. Lidin, E. Belilovsky, "Communication efficient LLM pre-training with SparseLoCo", arXiv
// 2508.15706 (2025), section 3; before it B. Peng, J. Quesnelle, D. P. Kingma, "DeMo: decoupled
// momentum optimization", arXiv 2411.19870 (2024).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/op/top_k.hpp>

namespace gossip::codec {

/// The `kept` numbers of the greatest magnitude of every `chunk` columns, of equal ones those of
/// lower columns; the others are 0. A last chunk that is shorter keeps as many, or all it has. A
/// number and ceil(log2(chunk)) bits for its column, each. |v - Q(v)|^2 <= (1 - kept / chunk)
/// |v|^2.
struct chunked_top_k {
  std::size_t chunk = 4096, kept = 64;

  using function = op::top_k_of_chunks;

  std::array<double, 2> coefficients(std::size_t) const {
    return {static_cast<double>(chunk), static_cast<double>(kept)};
  }
  std::size_t bytes(std::size_t columns, std::size_t number) const {
    std::size_t const all = columns / chunk * kept + std::min(columns % chunk, kept);
    return all * number + (all * bits_below(chunk) + 7) / 8;
  }
  void check() const {
    if (chunk < 1 || chunk > most)
      throw input_error("chunked_top_k: chunk", "1 to " + std::to_string(most),
                        std::to_string(chunk));
    if (kept < 1 || kept > chunk)
      throw input_error("chunked_top_k: kept", "1 to the chunk, " + std::to_string(chunk),
                        std::to_string(kept));
  }

  template <class T>
  std::vector<std::byte> encoded(std::span<T const> row, double = 0) const {
    std::vector<T> const left = left_of(*this, row);
    bit_writer message;
    each_chunk(row.size(), [&](std::size_t first, std::size_t size) {
      put_sparse<T>(message, {left.data() + first, size}, std::min(size, kept), bits_below(chunk));
    });
    return std::move(message).bytes();
  }
  template <class T>
  void decode(std::span<std::byte const> message, std::span<T> row) const {
    bit_reader from(message);
    each_chunk(row.size(), [&](std::size_t first, std::size_t size) {
      take_sparse(from, row.subspan(first, size), std::min(size, kept), bits_below(chunk));
    });
  }

  static constexpr char const *name = "chunked_top_k";
  static constexpr char const *meaning = "the numbers of largest magnitude of every chunk of a row";
  static constexpr auto members() {
    return member_list{
        described("chunk", &chunked_top_k::chunk, "number of columns of a chunk",
                  {.least = 1, .most = most}),
        described("kept", &chunked_top_k::kept, "number of entries of a chunk that are sent",
                  {.least = 1, .most = most})};
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// f(first column, columns)
  template <class F>
  void each_chunk(std::size_t columns, F f) const {
    for (std::size_t first = 0; first < columns; first += chunk)
      f(first, std::min(chunk, columns - first));
  }
};
static_assert(row_codec<chunked_top_k> && encodes_bytes<chunked_top_k>);

}  // namespace gossip::codec
