// Law 3 in float: mixing moves the mean of the network by what is left of fair rounding, however
// many rounds there are. Gradients are noise of mean 0, without which a column that has reached
// its neighbours' number soon stays where it is, whatever its weights sum to.
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/momentum_mixing.hpp>

#include <gossip/model/quadratic.hpp>
#include <gossip/topology/random_regular.hpp>

#include "conformance.hpp"

using namespace gossip::test;
using gossip::mixing_order;

namespace {

constexpr std::size_t mixed_columns = 512;
constexpr std::uint64_t mixed_rounds = 1000;

template <class T>
snapshot noisy_end(some_topology const &topology, some_exchange const &exchange) {
  gossip::quadratic<mixed_columns> const noisy{
      .curvature = {1e-30}, .optimum = {0.0}, .noise = 1.0, .start = 1.5};
  small_simulator network{topology,
                          noisy,
                          some_optimizer{gossip::sgd{.rate = 0.01, .momentum = 0.5}},
                          exchange,
                          gossip::numbers<T>{},
                          gossip::cpu{.threads = 1}};
  return watched(network, {.seed = 2, .stop = gossip::rounds{mixed_rounds}}, at_the_end)
      .seen.back();
}

/// Growth of all columns together over what they are in double, a round, in units of 1e-9.
double growth_of_mean(some_topology const &topology, some_exchange const &exchange) {
  snapshot const narrow = noisy_end<float>(topology, exchange);
  snapshot const wide = noisy_end<double>(topology, exchange);
  double sum = 0, of_double = 0;
  for (std::size_t c = 0; c < mixed_columns; ++c) {
    sum += narrow.mean(c);
    of_double += wide.mean(c);
  }
  return 1e9 * (sum / of_double - 1.0) / static_cast<double>(mixed_rounds);
}

}  // namespace

// In a round a number is rounded some 20 times, fairly: its error in root mean square is 5e-8, as
// measured. Nodes agree on one number soon, so their errors are counted as one. The mean of c
// columns is then off by 5e-8 / sqrt(r c) a round after r rounds, 7e-11 here. Three times that and
// the 3e-10 that mixing/cast_weights.hpp leaves are 5e-10. Weights cast one by one grow by 1.6e-8.
TEST_CASE("mixing in float keeps the mean of the network", "[exchange]") {
  constexpr double bound = 0.5;
  some_topology const regular = gossip::random_regular{.nodes = 16, .degree = 8};
  some_topology const unequal = fan{17};
  for (some_topology const &topology : {regular, unequal}) {
    CAPTURE(topology.nodes);
    for (auto const order : {mixing_order::combine_then_adapt, mixing_order::adapt_then_combine})
      CHECK(std::abs(growth_of_mean(topology, gossip::d_psgd<>{.order = order})) < bound);
    CHECK(std::abs(growth_of_mean(topology, gossip::momentum_mixing<>{})) < bound);
  }
}
