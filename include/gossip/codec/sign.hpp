// Messages of signs, a bit a number, with the mean magnitude of the row. S. P. Karimireddy,
// Q. Rebjock, S. U. Stich, M. Jaggi, "Error feedback fixes SignSGD and other gradient compression
// schemes", ICML 2019, Algorithm 1 with the whole row for a layer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/op/mean_sign.hpp>

namespace gossip::codec {

/// Q(v) = (|v|_1 / d) sign(v), with sign(0) = 1, so that |v - Q(v)|^2 = |v|^2 - |v|_1^2 / d. A bit
/// a number and one number of at least 4 bytes.
struct sign {
  using function = op::mean_sign;

  static constexpr std::array<double, 0> coefficients(std::size_t) { return {}; }
  static constexpr std::size_t bytes(std::size_t columns, std::size_t number) {
    return (columns + 7) / 8 + std::max<std::size_t>(number, 4);
  }
  static constexpr void check() {}

  template <class T>
  static std::vector<std::byte> encoded(std::span<T const> row, double = 0) {
    bit_writer message;
    message.put_number(function::mean_magnitude<T>(op::one_thread{}, row.size(), row.data()));
    for (T const x : row) message.put(x >= T{0} ? 0 : 1, 1);
    return std::move(message).bytes();
  }
  template <class T>
  static void decode(std::span<std::byte const> message, std::span<T> row) {
    bit_reader from(message);
    T const mean = from.take_number<T>();
    for (T &x : row) x = from.take(1) == 0 ? mean : -mean;
  }

  static constexpr char const *name = "sign";
  static constexpr char const *meaning =
      "signs of the numbers of a row, times their mean magnitude";
  static constexpr member_list<> members() { return {}; }
};
static_assert(row_codec<sign> && encodes_bytes<sign>);

}  // namespace gossip::codec
