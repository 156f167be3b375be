// A network of one node is plain training, whatever the exchange.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/ring.hpp>

#include "../exchange/conformance.hpp"

using namespace gossip::test;

namespace {

watched_run alone(some_exchange const &exchange, some_optimizer const &optimizer) {
  gossip::quadratic<7> const model{.curvature = {1, 2}, .optimum = {3}, .noise = 0.1};
  gossip::simulator network{gossip::ring{1}, model, optimizer, exchange, gossip::numbers<double>{}};
  return watched(network, {.stop = gossip::rounds{20}}, at_the_end);
}

}  // namespace

TEST_CASE("one node learns the same bits with every exchange", "[simulator]") {
  for (some_optimizer const &optimizer : optimizers()) {
    CAPTURE(optimizer.kind.index());
    auto const expected = alone(gossip::none{}, optimizer);
    CHECK(alone(gossip::ad_psgd{}, optimizer).report.digest == expected.report.digest);
    for (auto const order :
         {gossip::mixing_order::combine_then_adapt, gossip::mixing_order::adapt_then_combine})
      CHECK(alone(gossip::d_psgd<>{.order = order}, optimizer).report.digest ==
            expected.report.digest);
    // All-reduce cuts gradients to multiples of 2^-60; Adam divides small ones by their size.
    auto const reduced = alone(gossip::all_reduce{}, optimizer);
    for (std::size_t c = 0; c < 7; ++c)
      CHECK(reduced.seen.back().rows[0][c] ==
            Approx(expected.seen.back().rows[0][c]).epsilon(1e-9));
  }
}
