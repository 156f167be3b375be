// Vectors on the nodes of a network, for tests of what a mixture leaves of them.
#pragma once

#include <gossip/core/random.hpp>
#include <gossip/mixing/detail/lanczos.hpp>
#include <gossip/mixing/spectrum.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossip::test {

/// Normal numbers of mean 0, one a node. (n)
inline std::vector<double> scattered_numbers(std::size_t n, std::uint64_t seed) {
  keyed_random random(seed, purpose::user, 0, 0);
  std::vector<double> x(n);
  for (double &value : x) value = random.normal();
  detail::subtract_mean(x);
  return x;
}

/// |x|^2
inline double squares(std::vector<double> const &x) {
  return detail::inner_product(x, x);
}

}  // namespace gossip::test
