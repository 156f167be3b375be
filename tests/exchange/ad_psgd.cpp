// AD-PSGD: the laws of exchanges, and its fixed points.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>

#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;

TEST_CASE("ad_psgd keeps the laws of exchanges", "[exchange]") {
  check_exchange(gossip::ad_psgd{});
}

TEST_CASE("ad_psgd keeps the laws of exchanges where messages are lost or nodes down",
          "[exchange]") {
  check_with_loss(gossip::ad_psgd{});
  check_with_loss(gossip::ad_psgd{}, {}, gossip::after_loss::send_again);
  check_with_outages(gossip::ad_psgd{});
  check_kind(gossip::ad_psgd{}, {.loss = bursts(gossip::after_loss::send_again),
                                 .outages = down(gossip::after_outage::time_out)});
}

TEST_CASE("AD-PSGD with overlap keeps the laws of exchanges", "[exchange]") {
  check_exchange(gossip::overlapped_ad_psgd{});
  check_with_loss(gossip::overlapped_ad_psgd{});
  check_with_outages(gossip::overlapped_ad_psgd{});
}

TEST_CASE("AD-PSGD reaches the optimum that all nodes have", "[exchange]") {
  gossip::quadratic<1> const model{.curvature = {1, 2, 3}, .optimum = {0.5}, .start = 7};
  auto const end = settled(gossip::ring{8}, gossip::ad_psgd{}, 1000, model);
  for (auto const &row : end.rows) CHECK(row[0] == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("AD-PSGD settles near the optimum of the sum of unlike quadratics", "[exchange]") {
  auto const end = settled(gossip::complete{8}, gossip::ad_psgd{}, 400);
  CHECK(end.mean(0) == Approx(-0.8).margin(0.5));
  CHECK(end.distance() > 0.1);
}

TEST_CASE("AD-PSGD refuses a directed graph", "[exchange]") {
  auto const directed = gossip::graph::directed(2, {{0, 1}});
  CHECK_THROWS_WITH(gossip::ad_psgd::check(directed),
                    "ad_psgd: expected an undirected topology, got a directed topology");
}
