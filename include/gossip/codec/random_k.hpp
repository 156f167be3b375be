// Messages of numbers in columns that are drawn at random: columns follow from a seed, which is
// sent. S. U. Stich, J.-B. Cordonnier, M. Jaggi, "Sparsified SGD with memory", NeurIPS 2018,
// definition 2.1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/op/random_columns.hpp>

namespace gossip::codec {

/// The numbers of k = max(1, floor(share d)) columns of d, every set of columns as likely as any
/// other; the others are 0. E |v - Q(v)|^2 = (1 - k / d) |v|^2. Unbiased, numbers are times d / k:
/// E Q(v) = v and E |v - Q(v)|^2 = (d / k - 1) |v|^2. k numbers, and the seed of 8 bytes.
struct random_k {
  double share = 0.01;
  bool unbiased = false;

  using function = op::random_columns;

  std::size_t kept(std::size_t columns) const { return kept_of(share, columns); }
  std::array<double, 3> coefficients(std::size_t columns, double draw) const {
    double const k = static_cast<double>(kept(columns));
    return {k, unbiased ? static_cast<double>(columns) / k : 1.0, draw};
  }
  std::size_t bytes(std::size_t columns, std::size_t number) const {
    return kept(columns) * number + 8;
  }
  void check() const {
    if (!(share > 0 && share <= 1))
      throw input_error("random_k: share", "a number above 0, at most 1", detail::shortest(share));
  }

  template <class T>
  std::vector<std::byte> encoded(std::span<T const> row, double draw) const {
    auto const factor = static_cast<T>(coefficients(row.size(), draw)[1]);
    bit_writer message;
    message.put_number(draw);
    each_chosen(row.size(), draw,
                [&](std::size_t column) { message.put_number(factor * row[column]); });
    return std::move(message).bytes();
  }
  template <class T>
  void decode(std::span<std::byte const> message, std::span<T> row) const {
    bit_reader from(message);
    for (T &x : row) x = T{0};
    each_chosen(row.size(), from.take_number<double>(),
                [&](std::size_t column) { row[column] = from.take_number<T>(); });
  }

  static constexpr char const *name = "random_k";
  static constexpr char const *meaning = "numbers of a row in randomly drawn columns";
  static constexpr auto members() {
    return member_list{described("share", &random_k::share, "fraction of the columns that are sent",
                                 {.least = 0, .most = 1, .above_least = true}),
                       described("unbiased", &random_k::unbiased,
                                 "multiply by d / k, so that the message is unbiased")};
  }

 private:
  /// f(column) in ascending order.
  template <class F>
  void each_chosen(std::size_t columns, double draw, F f) const {
    std::size_t const k = kept(columns);
    op::with_places(op::one_thread{}, columns, draw,
                    [&](std::size_t first, std::size_t last, std::uint32_t const *places) {
                      for (std::size_t i = first; i < last; ++i)
                        if (places[i - first] < k) f(i);
                    });
  }
};
static_assert(row_codec<random_k> && encodes_bytes<random_k>);

}  // namespace gossip::codec
