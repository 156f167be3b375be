// What becomes of batch normalisation's statistics under an exchange.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/graph/complete.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "conformance.hpp"

using namespace gossip::test;

namespace {

constexpr std::size_t nodes = 4, trainable = normalised_classifier::parameters;

template <class Exchange>
watched_run still(Exchange const &exchange, gossip::statistics kept) {
  gossip::simulator network{gossip::complete{.nodes = nodes}, normalised_classifier{},
                            gossip::sgd{.rate = 0.0}, exchange};
  return watched(network, {.seed = 3, .batch = 20, .stop = gossip::rounds{80}, .statistics = kept},
                 at_the_end, gossip::split(tiny_images(), gossip::iid{}));
}

std::vector<double> statistics_of(watched_run const &run, std::size_t i) {
  auto const &row = run.seen.back().rows[i];
  return {row.begin() + trainable, row.end()};
}

/// With rate 0 the parameters stay equal: statistics show by themselves what is exchanged.
template <class Exchange>
void check(Exchange const &exchange) {
  auto const alone = still(gossip::none{}, gossip::statistics::mixed);
  auto const own = still(exchange, gossip::statistics::own);
  auto const mixed = still(exchange, gossip::statistics::mixed);
  double apart = 0, together = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    CHECK(statistics_of(own, i) == statistics_of(alone, i));
    for (std::size_t c = 0; c < normalised_classifier::statistics; ++c) {
      apart += std::abs(statistics_of(own, i)[c] - statistics_of(own, 0)[c]);
      together += std::abs(statistics_of(mixed, i)[c] - statistics_of(mixed, 0)[c]);
    }
  }
  CHECK(apart > 0);
  CHECK(together < 0.75 * apart);
  CHECK(own.report.bytes_sent * gossip::row_length<normalised_classifier> ==
        mixed.report.bytes_sent * trainable);
}

}  // namespace

TEST_CASE("statistics travel with the parameters, or stay and cost nothing", "[exchange]") {
  check(gossip::d_psgd{});
  check(gossip::ad_psgd{});
}
