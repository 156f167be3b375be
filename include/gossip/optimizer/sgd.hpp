// Stochastic gradient descent with heavy-ball or Nesterov momentum and coupled weight decay, in
// PyTorch's form: u <- momentum u + (g + decay x); x <- x - rate u, or x - rate (g' + momentum u).
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/optimizer/optimizer.hpp>

namespace gossip {

namespace detail {

/// Heavy-ball momentum, or none (momentum 0 with one row that holds the gradient until the step).
template <class T>
struct heavy_ball {
  static constexpr std::size_t rows = 1;
  using scale_type = T;
  T momentum, weight_decay;

  constexpr T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
  constexpr void absorb(T gradient, T parameter, T *row) const {
    row[0] = momentum * row[0] + (gradient + weight_decay * parameter);
  }
  constexpr void step(T rate, T &parameter, T const *row) const { parameter -= rate * row[0]; }
  constexpr void absorb_and_step(T rate, T gradient, T &parameter, T *row) const {
    absorb(gradient, parameter, row);
    step(rate, parameter, row);
  }
};

/// A gradient that waits in a row of its own.
template <class T>
struct plain_waiting {
  static constexpr std::size_t rows = 1;
  using scale_type = T;
  T weight_decay;

  constexpr T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
  constexpr void absorb(T gradient, T parameter, T *row) const {
    row[0] = gradient + weight_decay * parameter;
  }
  constexpr void step(T rate, T &parameter, T const *row) const { parameter -= rate * row[0]; }
  constexpr void absorb_and_step(T rate, T gradient, T &parameter, T *row) const {
    absorb(gradient, parameter, row);
    step(rate, parameter, row);
  }
};

/// A gradient that is used at once: no row at all.
template <class T>
struct plain {
  static constexpr std::size_t rows = 0;
  using scale_type = T;
  T weight_decay;

  constexpr T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
  constexpr void absorb(T, T, T *) const {}
  constexpr void step(T, T &, T const *) const {}
  constexpr void absorb_and_step(T rate, T gradient, T &parameter, T *) const {
    parameter -= rate * (gradient + weight_decay * parameter);
  }
};

/// Nesterov momentum. A waiting direction needs a second row.
template <class T, bool Waits>
struct nesterov_momentum {
  static constexpr std::size_t rows = Waits ? 2 : 1;
  using scale_type = T;
  T momentum, weight_decay;

  constexpr T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
  constexpr T direction(T gradient, T parameter, T *row) const {
    T const decayed = gradient + weight_decay * parameter;
    row[0] = momentum * row[0] + decayed;
    return decayed + momentum * row[0];
  }
  constexpr void absorb(T gradient, T parameter, T *row) const {
    if constexpr (Waits) row[1] = direction(gradient, parameter, row);
  }
  constexpr void step(T rate, T &parameter, T const *row) const {
    if constexpr (Waits) parameter -= rate * row[1];
  }
  constexpr void absorb_and_step(T rate, T gradient, T &parameter, T *row) const {
    T const way = direction(gradient, parameter, row);
    if constexpr (Waits) row[1] = way;
    parameter -= rate * way;
  }
};

}  // namespace detail

/// Rows a node: momentum 1, Nesterov 1, plain 0; where gradients wait 1, 2, 1.
struct sgd {
  double rate = 0.01;
  double momentum = 0.0;      ///< 0: none
  bool nesterov = false;      ///< needs momentum
  double weight_decay = 0.0;  ///< coupled: belongs to the gradient

  /// Calls f with the kernel for arithmetic in T.
  template <class T, class F>
  auto kernel(bool waits, F f) const {
    T const decay = static_cast<T>(weight_decay), beta = static_cast<T>(momentum);
    if (momentum == 0.0) {
      if (waits) return f(detail::plain_waiting<T>{decay});
      return f(detail::plain<T>{decay});
    }
    if (!nesterov) return f(detail::heavy_ball<T>{beta, decay});
    if (waits) return f(detail::nesterov_momentum<T, true>{beta, decay});
    return f(detail::nesterov_momentum<T, false>{beta, decay});
  }

  void check() const {
    detail::check_not_negative("sgd", "rate", rate);
    detail::check_not_negative("sgd", "weight_decay", weight_decay);
    if (!(momentum >= 0.0 && momentum < 1.0))
      throw input_error("sgd", "momentum in [0, 1)", detail::shortest(momentum));
    if (nesterov && momentum == 0.0)
      throw input_error("sgd", "a momentum with nesterov", "momentum 0");
  }

  std::size_t rows(bool waits) const {
    return kernel<float>(waits, [](auto k) { return decltype(k)::rows; });
  }

  static constexpr char const *name = "sgd";
  static constexpr char const *meaning = "stochastic gradient descent";
  static constexpr auto members() {
    return member_list{
        described("rate", &sgd::rate, "learning rate", {.most = 1e6}),
        described("momentum", &sgd::momentum, "momentum; 0: no momentum",
                  {.most = 1, .below_most = true}),
        described("nesterov", &sgd::nesterov, "Nesterov's momentum; needs a momentum above 0"),
        described("weight_decay", &sgd::weight_decay,
                  "coefficient of weight decay, which is added to the gradient", {.most = 1e6})};
  }
};
static_assert(optimizer<sgd>);

}  // namespace gossip
