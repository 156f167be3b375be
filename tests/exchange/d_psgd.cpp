// D-PSGD: the laws of exchanges in all orders and with both barriers.
#include <gossip/exchange/d_psgd.hpp>

#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>

#include <vector>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::barrier;
using gossip::gradient_point;
using gossip::mixing_order;

TEST_CASE("d_psgd keeps the laws of exchanges", "[exchange]") {
  check_exchange(gossip::d_psgd<>{.order = mixing_order::combine_then_adapt});
  check_exchange(gossip::d_psgd<>{.order = mixing_order::adapt_then_combine});
  check_exchange(gossip::d_psgd<>{.point = gradient_point::mixed});
  check_kind(gossip::d_psgd<>{});
}

TEST_CASE("d_psgd keeps the laws of exchanges where messages are lost", "[exchange]") {
  check_with_loss(gossip::d_psgd<>{.order = mixing_order::combine_then_adapt});
  check_with_loss(gossip::d_psgd<>{.order = mixing_order::adapt_then_combine});
  check_with_loss(gossip::d_psgd<>{.point = gradient_point::mixed});
  check_with_loss(gossip::d_psgd<>{}, {}, gossip::after_loss::send_again);
}

TEST_CASE("d_psgd keeps the laws of exchanges where nodes are absent", "[exchange]") {
  check_with_absence(gossip::d_psgd<>{.order = mixing_order::combine_then_adapt});
  check_with_absence(gossip::d_psgd<>{.order = mixing_order::adapt_then_combine});
  check_with_absence(gossip::d_psgd<>{.point = gradient_point::mixed});
}

TEST_CASE("D-PSGD keeps the laws of exchanges where nodes are down", "[exchange]") {
  check_with_outages(gossip::d_psgd<>{.order = mixing_order::combine_then_adapt});
  check_with_outages(
      gossip::d_psgd<>{.order = mixing_order::adapt_then_combine, .wait = gossip::barrier::global});
}

TEST_CASE("gradients of mixed models are not for steps before the mixture", "[exchange]") {
  gossip::d_psgd<> const both{.order = mixing_order::adapt_then_combine,
                              .point = gradient_point::mixed};
  CHECK_THROWS_WITH(both.check(gossip::ring{4}.build()),
                    "d_psgd: point: expected own where gradients are applied before the mixture, "
                    "got mixed");
}

// Three nodes on a path have weights 1/3 of each edge; an edge of which a message is lost is left
// out.
TEST_CASE("D-PSGD mixes over the edges whose messages arrive", "[exchange]") {
  gossip::link_losses fates({.share = 0.3}, 5);
  std::vector<double> x = scattered_starts(3);
  for (std::uint64_t k = 1; k <= 12; ++k) {
    std::vector<double> const h = x;
    for (gossip::node const i : {0U, 1U}) {
      bool const back = fates.loses(i + 1, i), there = fates.loses(i, i + 1);
      if (back || there) continue;
      x[i] += (h[i + 1] - h[i]) / 3;
      x[i + 1] += (h[i] - h[i + 1]) / 3;
    }
    gossip::d_psgd<> const atc{.order = mixing_order::adapt_then_combine};
    auto const found = scattered_with_loss(0.3, path{3}, atc, k);
    for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(x[i]).margin(1e-14));
  }
}

TEST_CASE("a barrier changes the time of a run and nothing else", "[exchange]") {
  gossip::quadratic<7> const model{.optimum = {1, 2, 3}};
  for (auto const order : {mixing_order::combine_then_adapt, mixing_order::adapt_then_combine}) {
    auto const run = [&](barrier wait) {
      small_simulator network{fan{17},
                              model,
                              optimizers().front(),
                              gossip::d_psgd<>{.order = order, .wait = wait},
                              gossip::cpu{.threads = 2},
                              gossip::numbers<double>{},
                              gossip::full_precision{},
                              gossip::virtual_clock<gossip::lognormal_time>{}};
      return watched(network, {.stop = gossip::rounds{30}}, at_the_end).report;
    };
    auto const neighbors = run(barrier::neighbors), global = run(barrier::global);
    CHECK(neighbors.digest == global.digest);
    CHECK(neighbors.virtual_seconds < global.virtual_seconds);
  }
}

TEST_CASE("D-PSGD with one peer a round keeps the laws", "[exchange]") {
  gossip::d_psgd<some_weights> const exchange{.order = mixing_order::adapt_then_combine,
                                              .rule = gossip::one_peer{}};
  check_exchange(exchange);
}

TEST_CASE("D-PSGD with one peer a round has the mean of 8 nodes after 3 rounds", "[exchange]") {
  small_network network{gossip::exponential{8}, scattered<3>{}, gossip::sgd{.rate = 1.0},
                        gossip::d_psgd<some_weights>{.order = mixing_order::adapt_then_combine,
                                                     .rule = gossip::one_peer{}}};
  auto const seen = watched(network, {.stop = gossip::rounds{6}}, 1.0).seen;
  REQUIRE(seen.size() == 6);
  CHECK(seen[1].distance() > 1e-3);
  CHECK(seen[2].distance() < 1e-30);
}

TEST_CASE("weights for undirected graphs are refused on a directed one", "[exchange]") {
  small_network network{gossip::exponential{8}, gossip::quadratic<1>{}, gossip::sgd{},
                        gossip::d_psgd<>{}};
  CHECK_THROWS_WITH(
      network.run({.stop = gossip::rounds{1}}),
      contains("metropolis_hastings: expected an undirected graph, got a directed graph"));
}
