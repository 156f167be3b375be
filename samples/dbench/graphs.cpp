#include <cmath>
#include <numbers>

#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/torus.hpp>

#include "experiments.hpp"

namespace dbench {

namespace {

/// The largest divisor up to the root.
std::size_t short_side(std::size_t nodes) {
  std::size_t side = 1;
  for (std::size_t a = 1; a * a <= nodes; ++a)
    if (nodes % a == 0) side = a;
  return side;
}

double wave(std::size_t k, std::size_t n) {
  return std::cos(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

}  // namespace

gossip::graph graph_of(std::string const &name, std::size_t nodes) {
  if (name == "ring") return gossip::ring{nodes}.build();
  if (name == "complete") return gossip::complete{nodes}.build();
  std::size_t const a = short_side(nodes);
  return gossip::torus{a, nodes / a}.build();
}

std::vector<double> eigenvalues_of(std::string const &name, std::size_t nodes) {
  std::vector<double> all;
  std::size_t const a = name == "torus" ? short_side(nodes) : 1, b = nodes / a;
  for (std::size_t r = 0; r < a; ++r)
    for (std::size_t c = 0; c < b; ++c) {
      if (r == 0 && c == 0) continue;
      double const ring = (1 + 2 * wave(c, b)) / 3,
                   torus = (1 + 2 * wave(r, a) + 2 * wave(c, b)) / 5;
      all.push_back(name == "complete" ? 0 : name == "ring" ? ring : torus);
    }
  return all;
}

}  // namespace dbench
