// Signum, an optimizer that is the rule of a column alone: the sign of the momentum. J. Bernstein
// et al., "signSGD: compressed optimisation for non-convex problems", ICML 2018.
#pragma once

#include <cstddef>

#include <gossip/core/error.hpp>

namespace gossip::test {

struct signum {
  static constexpr std::size_t rows = 1;
  double rate = 0.001, momentum = 0.9;

  template <class T>
  void absorb(T gradient, T, T *row) const {
    row[0] = static_cast<T>(momentum) * row[0] + static_cast<T>(1 - momentum) * gradient;
  }
  template <class T>
  void step(T scale, T &x, T const *row) const {
    x -= scale * static_cast<T>((row[0] > T{0}) - (row[0] < T{0}));
  }
  void check() const {
    if (!(momentum < 1)) throw input_error("signum", "momentum below 1", "1");
  }
};

}  // namespace gossip::test
