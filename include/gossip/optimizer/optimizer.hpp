// The contract of an optimizer: how a gradient becomes a step, one column at a time.
//
// An optimizer is a copyable aggregate of hyper-parameters, at most 64 bytes, with a base learning
// rate and what one column does. Signum (J. Bernstein et al., ICML 2018):
//
//   struct signum {
//     static constexpr std::size_t rows = 1;      // numbers a column beside the parameter
//     double rate = 1e-3, momentum = 0.9;
//     void absorb(auto gradient, auto, auto *row) const {      // at the gradient's parameters
//       row[0] = momentum * row[0] + (1 - momentum) * gradient;
//     }
//     void step(auto scale, auto &parameter, auto const *row) const {   // at present parameters
//       parameter -= scale * ((row[0] > 0) - (row[0] < 0));
//     }
//   };
//
// absorb leaves all that step needs in the rows; scale is the rate of this step. Optional are
// void check() const, which throws input_error on senseless values, and keeps_squares (below).
//
// One whose columns share more than a rate (Adam), or with fewer rows where no gradient waits, is
// written out instead:
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
// A kernel has, with its hyper-parameters as members of type T (of a rule: as the rule has them):
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
#include <type_traits>

#include <gossip/core/copyable.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/pinned.hpp>

namespace gossip {

namespace detail {

/// Throws input_error unless the value is a number from 0 up.
inline void check_not_negative(char const *optimizer, char const *member, double value) {
  if (!(value >= 0.0 && std::isfinite(value)))
    throw input_error(optimizer, std::string("a finite ") + member + " >= 0",
                      detail::shortest(value));
}

/// step writes to a copy of the parameter.
template <class K>
concept steps_a_copy = requires(K const &k, double scale, double const *row) {
  k.step(scale, double(), row);
} && !requires(K const &k, double scale, pinned &parameter, double const *row) {
  k.step(scale, parameter, row);
};
/// So does the step that follows its gradient at once, of a kernel.
template <class K, class T>
concept absorbs_and_steps_a_copy = requires(K const &k, typename K::scale_type scale, T *row) {
  k.absorb_and_step(scale, T(), T(), row);
};

}  // namespace detail

/// Whether some of the optimizer's rows hold squares of gradients, much smaller than parameters: it
/// says so with static constexpr bool keeps_squares.
template <class O>
inline constexpr bool keeps_squares = requires { requires O::keeps_squares; };

/// One that has the rule of a column alone.
template <class O>
concept optimizer_rule = copyable<O> && requires(O const &o, double number, double *row) {
  typename std::integral_constant<std::size_t, O::rows>;
  { o.rate } -> std::convertible_to<double>;
  o.absorb(number, number, row);
  o.step(number, *row, static_cast<double const *>(row));
};

template <class O>
concept optimizer = optimizer_rule<O> || (copyable<O> && requires(O const &o) {
                      { o.rate } -> std::convertible_to<double>;
                      { o.rows(true) } -> std::same_as<std::size_t>;
                      o.check();
                    });

/// The kernel of a rule: its hyper-parameters as they are.
template <optimizer_rule Rule, class T>
struct rule_kernel {
  static constexpr std::size_t rows = Rule::rows;
  using scale_type = T;
  Rule rule;

  constexpr T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
  constexpr void absorb(T gradient, T parameter, T *row) const {
    rule.absorb(gradient, parameter, row);
  }
  constexpr void step(T scale, T &parameter, T const *row) const {
    rule.step(scale, parameter, row);
  }
  constexpr void absorb_and_step(T scale, T gradient, T &parameter, T *row) const {
    absorb(gradient, parameter, row);
    step(scale, parameter, row);
  }
};

/// Rows a node beside its parameters.
template <optimizer O>
std::size_t optimizer_rows(O const &o, bool waits) {
  if constexpr (optimizer_rule<O>)
    return O::rows;
  else
    return o.rows(waits);
}

/// Throws input_error for hyper-parameters that make no sense.
template <optimizer O>
void check_optimizer(O const &o) {
  if constexpr (optimizer_rule<O>) detail::check_not_negative("optimizer", "rate", o.rate);
  if constexpr (requires { o.check(); }) o.check();
}

/// f(kernel): the arithmetic of an optimizer in T.
template <class T, optimizer O, class F>
auto with_kernel(O const &o, bool waits, F f) {
  if constexpr (optimizer_rule<O>)
    return f(rule_kernel<O, T>{o});
  else
    return o.template kernel<T>(waits, [&f](auto const &kernel) {
      using kernel_type = std::remove_cvref_t<decltype(kernel)>;
      static_assert(
          !detail::absorbs_and_steps_a_copy<kernel_type, T>,
          "gossip::optimizer: absorb_and_step of the kernel takes the parameter by value, "
          "so that nothing would be trained; expected T &parameter. See "
          "docs/policies/optimizer.md");
      return f(kernel);
    });
}

}  // namespace gossip
