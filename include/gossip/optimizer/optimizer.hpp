// The contract of an optimizer: how a gradient becomes a step, one column at a time.
//
// An optimizer is a copyable aggregate of hyper-parameters:
//
//   double rate;                                    base learning rate
//   std::size_t rows(bool waits) const;             optimizer rows a node, beside the parameters
//   template <class T> auto kernel(bool waits, F f) const;    returns f(kernel): the arithmetic for
//                                                   these hyper-parameters, as a public value type
//   void check() const;                             throws input_error on senseless values
//
// `waits` says that others may touch the parameters between a gradient and its step, or that the
// step comes later for another reason; then absorb must leave all that step needs in the rows.
//
// A kernel has, with its hyper-parameters as members of type T:
//
//   static constexpr std::size_t rows;              optimizer rows
//   scale_type scale(rate, iteration) const;        what the columns of one step share
//   absorb(T gradient, T parameter, T *row) const   at the point where the gradient was taken
//   step(scale, T &parameter, T const *row) const   at the point where the parameters are now
//   absorb_and_step(scale, T gradient, T &parameter, T *row) const    the two with nothing between
//
// absorb_and_step gives the bits of absorb then step. Iterations count a node's steps from 1.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/core/error.hpp>

namespace gossip {

namespace detail {

/// Throws input_error unless the value is a number from 0 up.
inline void check_not_negative(char const *optimizer, char const *member, double value) {
  if (!(value >= 0.0 && std::isfinite(value)))
    throw input_error(optimizer, std::string("a finite ") + member + " >= 0",
                      std::to_string(value));
}

}  // namespace detail

/// Whether some of the optimizer's rows hold squares of gradients, much smaller than parameters: it
/// says so with static constexpr bool keeps_squares.
template <class O>
inline constexpr bool keeps_squares = requires {
  requires O::keeps_squares;
};

template <class O>
concept optimizer = std::copyable<O> && requires(O const &o) {
  { o.rate } -> std::convertible_to<double>;
  { o.rows(true) } -> std::same_as<std::size_t>;
  o.check();
};

}  // namespace gossip
