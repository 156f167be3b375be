// AD-PSGD on two nodes, with numbers that a reader can follow.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>

#include <limits>
#include <vector>

#include <gossip/gossip.hpp>
#include <gossip/topology/complete.hpp>

#include "conformance.hpp"

namespace {

using models = std::vector<std::vector<double>>;  // (observations, nodes)

/// The one parameter of every node at each observation.
struct models_over_time {
  models *seen;

  template <class Context>
  void measure(Context &context, gossip::record &) const {
    auto &now = seen->emplace_back();
    for (gossip::node i = 0; i < context.size().nodes; ++i)
      now.push_back(static_cast<double>(*context.rows().parameters(i)));
  }
};

/// Two nodes that train for 10 ms and wait for no link; f_i(x) = (x - optimum_i)^2 / 2, rate 1/2.
models models_of(std::vector<double> optimum, gossip::virtual_clock<gossip::constant_time> clock,
                 gossip::execution engine,
                 gossip::test::some_exchange const &exchange = gossip::ad_psgd{}) {
  models seen;
  clock.network = {.latency = gossip::virtual_time(0),
                   .bandwidth = std::numeric_limits<double>::infinity()};
  gossip::test::small_simulator network{gossip::complete{2},
                                        gossip::quadratic<1>{.optimum = optimum},
                                        gossip::sgd{.rate = 0.5},
                                        exchange,
                                        gossip::numbers<double>{},
                                        gossip::cpu{.threads = 1},
                                        clock};
  network.run({.stop = gossip::rounds{2}, .engine = engine},
              gossip::every(gossip::rounds{1}, models_over_time{&seen}));
  return seen;
}

}  // namespace

TEST_CASE("AD-PSGD averages, then applies the gradient from before the average", "[exchange]") {
  for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
    // Both begin at 0 with the gradients -1 and 3; node 0 is the first of those that are done at
    // the same time.
    //   node 0: average 0, 0 + 1/2 = 1/2.        Then trains at 1/2: its gradient is -1/2.
    //   node 1: average 1/4, 1/4 - 3/2 = -5/4.   Then trains at -5/4: its gradient is 7/4.
    //   node 0: average of 1/4 and -5/4 is -1/2, -1/2 + 1/4 = -1/4.
    //   node 1: average of -1/4 and -1/2 is -3/8, -3/8 - 7/8 = -5/4.
    auto const seen = models_of({1.0, -3.0}, {}, engine);
    CHECK(seen == models{{0, 0}, {0.25, -1.25}, {-0.375, -1.25}});
  }
}

TEST_CASE("AD-PSGD with overlap averages while nodes train at the models from before",
          "[exchange]") {
  for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
    // Both begin at 0 with the gradients -1 and 3.
    //   node 0: 0 + 1/2 = 1/2, where it trains: its gradient is -1/2; meanwhile average 1/4.
    //   node 1: 1/4 - 3/2 = -5/4, where it trains: its gradient is 7/4; meanwhile average -1/2.
    //   node 0: -1/2 + 1/4 = -1/4. Trains no more.
    //   node 1: -1/2 - 7/8 = -11/8. Trains no more.
    auto const seen = models_of({1.0, -3.0}, {}, engine, gossip::overlapped_ad_psgd{});
    CHECK(seen == models{{0, 0}, {-0.5, -0.5}, {-0.25, -1.375}});
  }
}

TEST_CASE("a slow node of AD-PSGD steps by a gradient that is older than several averages",
          "[exchange]") {
  for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
    // The same, but node 1 takes 25 ms.
    //   10 ms, node 0: average 0, 0 + 1/2 = 1/2.             Gradient at 1/2: -1/2.
    //   20 ms, node 0: average 1/4, 1/4 + 1/4 = 1/2.         Gradient at 1/2: -1/2.
    //   25 ms, node 1, whose gradient at 0 is 3: average of 1/2 and 1/4 is 3/8, 3/8 - 3/2 = -9/8.
    //   30 ms, node 0: average of 3/8 and -9/8 is -3/8, -3/8 + 1/4 = -1/8.
    auto const seen = models_of({1.0, -3.0}, {.slow = {{1, 2.5}}}, engine);
    CHECK(seen == models{{0, 0}, {0.5, 0.25}, {-0.125, -0.375}});
  }
}
