// An exchange that names functions of its own late, and lists none of them.
#pragma once

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

#include <cstddef>
#include <cstdint>

namespace gossip::test {

/// x_0 <- c_0 x_0.
struct shrunk {
  static constexpr std::size_t rows = 1, coefficients = 1;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    x[0] *= c[0];
  }
};

/// x_0 <- x_0 - c_0 x_0^3.
struct bent {
  static constexpr std::size_t rows = 1, coefficients = 1;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    x[0] -= c[0] * (x[0] * x[0] * x[0]);
  }
};

/// sum x_0^4 over the columns.
struct fourth_power {
  static constexpr std::size_t rows = 1;

  template <class T>
  constexpr double operator()(T const *x) const {
    return static_cast<double>(x[0] * x[0] * (x[0] * x[0]));
  }
};

/// c_0 / (1 + s_0).
struct damping {
  static constexpr std::size_t scalars = 1, numbers = 1;

  template <class T>
  constexpr T operator()(T const *s, T const *c) const {
    return c[0] / (T{1} + s[0]);
  }
};

/// D-PSGD whose first node shrinks its model from round 2 on, and whose last node bends its model
/// from round 5 on.
struct late_functions {
  static constexpr std::size_t rows = 0;

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if (k >= 2) plan.apply(shrunk{}, 0, {model_row}, {0.875});
    if (k >= 5) {
      auto const last = static_cast<node>(plan.nodes() - 1);
      scalar const size = plan.reduce(fourth_power{}, last, {model_row});
      scalar const share = plan.compute(damping{}, last, {size}, {0.5});
      plan.apply(bent{}, last, {model_row}, {share});
    }
    plan.mix_all(plan.weights(k));
  }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace gossip::test
