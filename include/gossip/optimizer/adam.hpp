// Adam (D. Kingma, J. Ba 2015) and AdamW (I. Loshchilov, F. Hutter 2019), local to each node, in
// PyTorch's form: x <- x - rate / (1 - b1^t) m / (sqrt(v) / sqrt(1 - b2^t) + epsilon).
#pragma once

#include <cmath>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/optimizer/optimizer.hpp>

namespace gossip {

namespace detail {

/// Rows m and v. Decay is coupled (into the gradient) or decoupled (into the step).
template <class T>
struct adam_moments {
  static constexpr std::size_t rows = 2;
  struct scale_type {
    T rate, root_correction, shrink;  // rate / (1 - b1^t), sqrt(1 - b2^t), 1 - rate decay
  };
  T epsilon, coupled;
  double first, second, decoupled;

  scale_type scale(double rate, std::uint64_t iteration) const {
    double const t = static_cast<double>(iteration);
    return {static_cast<T>(rate / (1.0 - std::pow(first, t))),
            static_cast<T>(std::sqrt(1.0 - std::pow(second, t))),
            static_cast<T>(1.0 - rate * decoupled)};
  }
  constexpr void absorb(T gradient, T parameter, T *row) const {
    T const g = gradient + coupled * parameter;
    // 1 - b in double: of b = 0.99999 in float, 1 - b would be off by a part in a thousand.
    row[0] = static_cast<T>(first) * row[0] + static_cast<T>(1.0 - first) * g;
    row[1] = static_cast<T>(second) * row[1] + static_cast<T>(1.0 - second) * (g * g);
  }
  constexpr void step(scale_type s, T &parameter, T const *row) const {
    T const divisor = std::sqrt(row[1]) / s.root_correction + epsilon;
    parameter = s.shrink * parameter - s.rate * (row[0] / divisor);
  }
  constexpr void absorb_and_step(scale_type s, T gradient, T &parameter, T *row) const {
    absorb(gradient, parameter, row);
    step(s, parameter, row);
  }
};

/// The checks and the kernel that Adam and AdamW share.
template <class Adam>
void check_adam(Adam const &a, char const *name) {
  auto const in_unit = [](double x) { return x >= 0.0 && x < 1.0; };
  check_not_negative(name, "rate", a.rate);
  check_not_negative(name, "weight_decay", a.weight_decay);
  if (!in_unit(a.first_decay) || !in_unit(a.second_decay))
    throw input_error(name, "first_decay and second_decay in [0, 1)",
                      detail::shortest(a.first_decay) + " and " + detail::shortest(a.second_decay));
  if (!(a.epsilon > 0.0)) throw input_error(name, "epsilon > 0", detail::shortest(a.epsilon));
}

template <class T, class Adam>
adam_moments<T> moments(Adam const &a, double coupled, double decoupled) {
  return {static_cast<T>(a.epsilon), static_cast<T>(coupled), a.first_decay, a.second_decay,
          decoupled};
}

}  // namespace detail

/// Rows a node: 2, whether gradients wait or not. Weight decay is coupled.
struct adam {
  double rate = 1e-3;
  double first_decay = 0.9;     ///< of the running mean of gradients
  double second_decay = 0.999;  ///< of the running mean of squared gradients
  double epsilon = 1e-8;
  double weight_decay = 0.0;

  static constexpr bool keeps_squares = true;
  static constexpr std::size_t rows(bool) { return 2; }
  void check() const { detail::check_adam(*this, "adam"); }

  template <class T, class F>
  auto kernel(bool, F f) const {
    return f(detail::moments<T>(*this, weight_decay, 0.0));
  }

  static constexpr char const *name = "adam";
  static constexpr char const *meaning = "Adam, Kingma and Ba 2015";
  static constexpr auto members() {
    return member_list{
        described("rate", &adam::rate, "learning rate", {.most = 1e6}),
        described("first_decay", &adam::first_decay, "decay rate of the first moment, beta_1",
                  {.most = 1, .below_most = true}),
        described("second_decay", &adam::second_decay, "decay rate of the second moment, beta_2",
                  {.most = 1, .below_most = true}),
        described("epsilon", &adam::epsilon, "constant added to the root of the second moment",
                  {.most = 1e6, .above_least = true}),
        described("weight_decay", &adam::weight_decay,
                  "coefficient of weight decay, which is added to the gradient", {.most = 1e6})};
  }
};
static_assert(optimizer<adam>);

/// Adam with decoupled weight decay: it shrinks the parameters as they are at the step.
struct adamw {
  double rate = 1e-3;
  double first_decay = 0.9;
  double second_decay = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;

  static constexpr bool keeps_squares = true;
  static constexpr std::size_t rows(bool) { return 2; }
  void check() const { detail::check_adam(*this, "adamw"); }

  template <class T, class F>
  auto kernel(bool, F f) const {
    return f(detail::moments<T>(*this, 0.0, weight_decay));
  }

  static constexpr char const *name = "adamw";
  static constexpr char const *meaning = "AdamW, Loshchilov and Hutter 2019";
  static constexpr auto members() {
    return member_list{
        described("rate", &adamw::rate, "learning rate", {.most = 1e6}),
        described("first_decay", &adamw::first_decay, "decay rate of the first moment, beta_1",
                  {.most = 1, .below_most = true}),
        described("second_decay", &adamw::second_decay, "decay rate of the second moment, beta_2",
                  {.most = 1, .below_most = true}),
        described("epsilon", &adamw::epsilon, "constant added to the root of the second moment",
                  {.most = 1e6, .above_least = true}),
        described("weight_decay", &adamw::weight_decay,
                  "coefficient of weight decay, which is decoupled from the gradient",
                  {.most = 1e6})};
  }
};
static_assert(optimizer<adamw>);

}  // namespace gossip
