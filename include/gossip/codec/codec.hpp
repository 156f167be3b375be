// The contract of a codec: the form of a row in a message. In a simulation rows stay numbers: a
// codec changes a row to the one that its receivers decode, and gives the bytes that travel.
//
// A codec is a type with
//
//   using function = F;
//       a column function or a whole-row function of one row, which it reads and writes
//   std::array<double, F::coefficients> coefficients(std::size_t columns) const;
//       the function's numbers for a row of so many trainable columns; of a codec that draws
//       coefficients(std::size_t columns, double draw), where the plan draws one number a message
//       as plan.random(i) does, which keys all random bits of the row
//   std::size_t bytes(std::size_t columns, std::size_t number) const;
//       of an encoded row, where a number of a row has so many bytes
//   void check() const;
//       throws input_error where a member is not what it should be
//
// and, optional, for T float and double,
//
//   std::vector<std::byte> encoded(std::span<T const> row, double draw) const;
//       of a row as it was before the function: bytes(row.size(), sizeof(T)) of them. The draw is
//       that of the message; a codec that does not draw ignores it
//   void decode(std::span<std::byte const> message, std::span<T> row) const;
//       the row that the function would have left, to the bit. Throws error where the message is
//       not one of such a row
//
// An exchange encodes a row of a node and sends it:
//
//   plan.send_to(i, receivers, plan.encode(i, row, codec));
//
// The row is then what receivers decode, so that a node can keep what its messages left out.
// Statistics of a model are not encoded: they travel as they are.
//
// A choice of codecs, for programs that choose one at run time, is a type with check() and with
//
//   auto with(auto f) const;   f(codec) of the codec that was chosen
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <gossip/op/column.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip {

/// A function that changes one row.
template <class F>
concept changes_one_row = (column_function<F> || whole_row_function<F>) && F::rows == 1 &&
                          F::reads == 1 && F::writes == 1;

/// The numbers of a codec's function.
template <class C>
using codec_coefficients = std::array<double, C::function::coefficients>;

/// A codec whose rows depend on chance.
template <class C>
concept drawing_codec = requires(C const &codec, std::size_t columns) {
  { codec.coefficients(columns, 0.5) } -> std::same_as<codec_coefficients<C>>;
};

template <class C>
concept single_codec =
    changes_one_row<typename C::function> && requires(C const &codec, std::size_t columns) {
      requires drawing_codec<C> || requires {
        { codec.coefficients(columns) } -> std::same_as<codec_coefficients<C>>;
      };
      { codec.bytes(columns, columns) } -> std::same_as<std::size_t>;
      codec.check();
    };

/// A codec that writes messages and reads them.
template <class C>
concept encodes_bytes = single_codec<C> && requires(C const &codec, std::span<float> f,
                                                    std::span<double> d, std::vector<std::byte> b) {
  { codec.encoded(std::span<float const>(f), 0.5) } -> std::same_as<std::vector<std::byte>>;
  { codec.encoded(std::span<double const>(d), 0.5) } -> std::same_as<std::vector<std::byte>>;
  codec.decode(std::span<std::byte const>(b), f);
  codec.decode(std::span<std::byte const>(b), d);
};

/// The coefficients of a row; draw(): the draw of its message, where one is needed.
template <single_codec C, class Draw>
codec_coefficients<C> coefficients_of(C const &codec, std::size_t columns, Draw draw) {
  if constexpr (drawing_codec<C>)
    return codec.coefficients(columns, draw());
  else
    return codec.coefficients(columns);
}

namespace detail {

struct takes_codec {
  template <single_codec C>
  void operator()(C const &) const {}
};

}  // namespace detail

template <class C>
concept codec_choice = requires(C const &choice) {
  choice.with(detail::takes_codec{});
  choice.check();
};

template <class C>
concept row_codec = single_codec<C> || codec_choice<C>;

/// The numbers that a sparsification keeps of so many columns: max(1, floor(share columns)).
inline std::size_t kept_of(double share, std::size_t columns) {
  double const part = std::floor(share * static_cast<double>(columns));
  return std::min(columns, std::max(std::size_t{1}, static_cast<std::size_t>(part)));
}

/// A row as the function of a codec that does not draw leaves it. (columns)
template <single_codec C, class T>
std::vector<T> left_of(C const &codec, std::span<T const> row) {
  std::vector<T> left(row.begin(), row.end());
  T *const x[] = {left.data()};
  typename C::function{}(op::one_thread{}, row.size(), codec.coefficients(row.size()).data(), x);
  return left;
}

}  // namespace gossip
