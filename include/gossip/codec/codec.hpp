// The contract of a codec: the form of a row in a message. In a simulation rows stay numbers: a
// codec changes a row to the one that its receivers decode, and gives the bytes that travel.
//
// A codec is a type with
//
//   using function = F;
//       a column function or a whole-row function of one row, which it reads and writes
//   std::array<double, F::coefficients> coefficients(std::size_t columns) const;
//       the function's numbers for a row of so many trainable columns
//   std::size_t bytes(std::size_t columns, std::size_t number) const;
//       of an encoded row, where a number of a row has so many bytes
//   void check() const;
//       throws input_error where a member is not what it should be
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

#include <array>
#include <concepts>
#include <cstddef>

#include <gossip/op/column.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip {

/// A function that changes one row.
template <class F>
concept changes_one_row =
    (column_function<F> || whole_row_function<F>)&&F::rows == 1 && F::reads == 1 && F::writes == 1;

template <class C>
concept single_codec = changes_one_row<typename C::function> &&
    requires(C const &codec, std::size_t columns) {
  { codec.coefficients(columns) } -> std::same_as<std::array<double, C::function::coefficients>>;
  { codec.bytes(columns, columns) } -> std::same_as<std::size_t>;
  codec.check();
};

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

}  // namespace gossip
