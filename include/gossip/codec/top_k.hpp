// The largest numbers of a row and their columns. D. Alistarh, T. Hoefler, M. Johansson, S.
// Khirirat, N. Konstantinov, C. Renggli, "The convergence of sparsified gradient methods", NeurIPS
// 2018.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/op/top_k.hpp>

namespace gossip::codec {

/// The max(1, floor(share d)) numbers of the greatest magnitude of a row of d columns, of equal
/// ones those of lower columns; the others are 0. A number and its column, in 4 bytes, each.
/// Q(v) has |v - Q(v)|^2 <= (1 - k / d) |v|^2.
struct top_k {
  double share = 0.01;

  using function = op::top_k;

  std::size_t kept(std::size_t columns) const { return kept_of(share, columns); }
  std::array<double, 1> coefficients(std::size_t columns) const {
    return {static_cast<double>(kept(columns))};
  }
  std::size_t bytes(std::size_t columns, std::size_t number) const {
    return kept(columns) * (number + 4);
  }
  void check() const {
    if (!(share > 0 && share <= 1))
      throw input_error("top_k: share", "a number above 0, at most 1", detail::shortest(share));
  }

  template <class T>
  std::vector<std::byte> encoded(std::span<T const> row, double = 0) const {
    std::vector<T> const left = left_of(*this, row);
    bit_writer message;
    put_sparse<T>(message, left, kept(row.size()), 32);
    return std::move(message).bytes();
  }
  template <class T>
  void decode(std::span<std::byte const> message, std::span<T> row) const {
    bit_reader from(message);
    take_sparse(from, row, kept(row.size()), 32);
  }

  static constexpr char const *name = "top_k";
  static constexpr char const *meaning =
      "the numbers of largest magnitude of a row, with their columns";
  static constexpr auto members() {
    return member_list{described("share", &top_k::share, "fraction of the columns that are sent",
                                 {.least = 0, .most = 1, .above_least = true})};
  }
};
static_assert(row_codec<top_k> && encodes_bytes<top_k>);

}  // namespace gossip::codec
