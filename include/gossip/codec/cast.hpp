// Messages of 16-bit numbers: every number of a row rounded to a floating-point format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/op/rounding.hpp>

namespace gossip::codec {

/// Format: bf16 or fp16. Rounded to nearest, ties to even, 2 bytes a number. bf16 is off by at most
/// 2^-8 of a number, fp16 by 2^-11 from 6.1e-5 to 65,504, beyond which it has infinities.
template <class Format>
struct cast {
  using function = op::rounding<Format>;

  static constexpr std::array<double, 0> coefficients(std::size_t) { return {}; }
  static constexpr std::size_t bytes(std::size_t columns, std::size_t) {
    return columns * sizeof(Format);
  }
  static constexpr void check() {}

  template <class T>
  static std::vector<std::byte> encoded(std::span<T const> row, double = 0) {
    bit_writer message;
    for (T const x : row)
      message.put(Format::holding(static_cast<float>(rounded<Format>(x))).bits, 16);
    return std::move(message).bytes();
  }
  template <class T>
  static void decode(std::span<std::byte const> message, std::span<T> row) {
    bit_reader from(message);
    for (T &x : row)
      x = static_cast<T>(static_cast<float>(Format{static_cast<std::uint16_t>(from.take(16))}));
  }

  static constexpr char const *name = Format::name;
  static constexpr char const *meaning = "every number of a row, rounded to 16 bits";
  static constexpr member_list<> members() { return {}; }
};
static_assert(row_codec<cast<bf16>> && row_codec<cast<fp16>>);
static_assert(encodes_bytes<cast<bf16>> && encodes_bytes<cast<fp16>>);

}  // namespace gossip::codec
