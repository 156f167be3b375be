// Statistics of batch normalisation under an exchange.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/complete.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance.hpp"

using namespace gossip::test;

namespace {

constexpr std::size_t nodes = 4, trainable = normalised_classifier::parameters;

watched_run still(some_exchange const &exchange, gossip::statistics_mode kept,
                  std::uint64_t rounds) {
  small_simulator network{gossip::complete{.nodes = nodes}, normalised_classifier{},
                          gossip::sgd{.rate = 0.0}, exchange};
  return watched(network,
                 {.seed = 3, .batch = 20, .stop = gossip::rounds{rounds}, .statistics = kept},
                 at_the_end, gossip::split(tiny_images(), gossip::iid{}));
}

std::vector<double> statistics_of(watched_run const &run, std::size_t i) {
  auto const &row = run.seen.back().rows[i];
  return {row.begin() + trainable, row.end()};
}

/// Distance of the nodes' statistics from those of node 0, summed.
double spread(watched_run const &run) {
  double sum = 0;
  for (std::size_t i = 1; i < nodes; ++i)
    for (std::size_t c = 0; c < normalised_classifier::statistics; ++c)
      sum += std::abs(statistics_of(run, i)[c] - statistics_of(run, 0)[c]);
  return sum;
}

/// With rate 0 the parameters stay equal: statistics show by themselves what is exchanged.
void check(some_exchange const &exchange) {
  using gossip::statistics_mode;
  auto const alone = still(gossip::none{}, statistics_mode::mixed, 5);
  auto const own = still(exchange, statistics_mode::own, 5);
  for (std::size_t i = 0; i < nodes; ++i) CHECK(statistics_of(own, i) == statistics_of(alone, i));

  auto const mixed = still(exchange, statistics_mode::mixed, 100);
  auto const apart = still(exchange, statistics_mode::own, 100);
  CHECK(spread(mixed) < 0.75 * spread(apart));
  CHECK(apart.report.bytes_sent * gossip::row_length<normalised_classifier> ==
        mixed.report.bytes_sent * trainable);
}

}  // namespace

TEST_CASE("statistics travel with the parameters, or stay and cost nothing", "[exchange]") {
  check(gossip::d_psgd{});
  check(gossip::ad_psgd{});
}
