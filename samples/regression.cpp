// A network of nodes fits a function of two variables: a loss other than cross-entropy.
// test: 1
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <gossip/gossip.hpp>

// quote regression
/// Points (a, b) of the square [-1, 1]^2, and sin(3 a) b at each.
gossip::dataset surface(std::size_t points, std::uint32_t draw) {
  gossip::keyed_random random(1, gossip::purpose::user, draw, 0);
  std::vector<float> features, targets;
  for (std::size_t k = 0; k < points; ++k) {
    double const a = 2 * random.uniform() - 1, b = 2 * random.uniform() - 1;
    features.insert(features.end(), {static_cast<float>(a), static_cast<float>(b)});
    targets.push_back(static_cast<float>(std::sin(3 * a) * b));
  }
  return gossip::regression_set("surface", features, targets);
}

using fit = gossip::sequential<gossip::input<1, 1, 2>, gossip::dense<32>, gossip::silu,
                               gossip::dense<1>, gossip::mean_square>;

int main(int argc, char **argv) {
  auto const train = surface(4000, 0), test = surface(1000, 1);
  gossip::simulator network{gossip::ring{.nodes = 16}, fit{}, gossip::adam{.rate = 0.01},
                            gossip::d_psgd{}};
  auto const report =
      network.run({.batch = 16, .stop = gossip::epochs{argc > 1 ? std::atof(argv[1]) : 100}},
                  gossip::split(train, gossip::dirichlet{.alpha = 0.5}), gossip::accuracy{test});
  std::cout << "mean square error " << *report.last.test_loss << '\n';
  return 0;
}
// end quote
