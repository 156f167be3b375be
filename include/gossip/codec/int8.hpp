// Messages of 8-bit numbers: whole multiples of a step, of which every block of 256 columns has its
// own. T. Dettmers, M. Lewis, S. Shleifer, L. Zettlemoyer, "8-bit optimizers via block-wise
// quantization", ICLR 2022, section 2.1, with levels that are equally far apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/op/absmax_rounding.hpp>

namespace gossip::codec {

/// q = round(127 v / m), halves to the even one, with m the greatest magnitude of the block; a
/// number is off by at most m / 254. A byte a number and a step a block, of at least 4 bytes.
struct int8 {
  using function = op::absmax_rounding;

  static constexpr std::array<double, 0> coefficients(std::size_t) { return {}; }
  static constexpr std::size_t bytes(std::size_t columns, std::size_t number) {
    return columns + function::blocks(columns) * std::max<std::size_t>(number, 4);
  }
  static constexpr void check() {}

  template <class T>
  static std::vector<std::byte> encoded(std::span<T const> row, double = 0) {
    bit_writer message;
    for (std::size_t first = 0; first < row.size(); first += function::block) {
      auto const block = row.subspan(first, std::min(function::block, row.size() - first));
      T const step = function::step(block.data(), block.size());
      message.put_number(step);
      for (T const x : block)
        message.put(static_cast<std::uint8_t>(static_cast<int>(function::steps(x, step))), 8);
    }
    return std::move(message).bytes();
  }
  template <class T>
  static void decode(std::span<std::byte const> message, std::span<T> row) {
    bit_reader from(message);
    T step{};
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c % function::block == 0) step = from.take_number<T>();
      row[c] = static_cast<T>(static_cast<std::int8_t>(from.take(8))) * step;
    }
  }

  static constexpr char const *name = "int8";
  static constexpr char const *meaning =
      "every number of a row, rounded to 8 bits, with a scale per block of 256";
  static constexpr member_list<> members() { return {}; }
};
static_assert(row_codec<int8> && encodes_bytes<int8>);

}  // namespace gossip::codec
