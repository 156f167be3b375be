// FedOpt: the laws, momentum and adaptive steps by plain loops, and its fixed point.
#include <gossip/exchange/fed_opt.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/fed_prox.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::fed_avg;
using gossip::fed_opt;
using gossip::fed_prox;
using gossip::ring;
using gossip::server_step;

TEST_CASE("FedOpt keeps the laws of exchanges", "[exchange]") {
  check_exchange(fed_opt<>{{}, server_step::momentum, 1, 0});
  check_exchange(
      fed_opt<fed_prox>{{{.clients = 0, .local_steps = 2, .population = 40}}, server_step::yogi},
      {.keeps_mean = false});
  check_with_loss(fed_opt<fed_prox>{{}, server_step::yogi}, {.keeps_mean = false});
  check_with_absence(fed_opt<>{}, {.keeps_mean = false});
}

// One client a round: its model down is lost, or its model up, or the server steps.
TEST_CASE("a server without models of clients takes no step", "[exchange]") {
  gossip::message_loss const loss{.share = 0.4, .then = gossip::after_loss::go_on};
  gossip::link_losses fates(loss, 1);
  auto const valleys = alternating_valleys();
  double x = 0, m = 0;
  for (int trained = 0; trained < 30;) {
    if (fates.loses(1, 0)) continue;
    double const d = -0.1 * valleys.curvature[0] * (x - valleys.optimum[0]);
    ++trained;
    if (fates.loses(0, 1)) continue;
    m = 0.5 * m + d;
    x += 0.7 * m;
  }
  auto network = on_clock(gossip::virtual_clock<gossip::constant_time>{.loss = loss}, ring{1},
                          valleys, 0.1, fed_opt<>{{}, server_step::momentum, 0.7, 0.5});
  auto const end = watched(network, {.stop = gossip::rounds{30}}, at_the_end).seen.back();
  CHECK(end.rows[0][0] == Approx(x).epsilon(1e-12));
}

TEST_CASE("a server's momentum of one local step is heavy ball at the product of the rates",
          "[exchange]") {
  fed_opt<> const exchange{{}, server_step::momentum, 0.7, 0.8};
  auto const central =
      settled_by({.rate = 0.02 * 0.7, .momentum = 0.8}, ring{8}, gossip::all_reduce{}, 57);
  CHECK(settled_by({.rate = 0.02}, ring{8}, exchange, 57).rows[0][0] ==
        Approx(central.mean(0)).epsilon(1e-12));
}

// The displacement of one step of valleys of mean curvature 15/8 and minimum -0.8.
TEST_CASE("adaptive servers take the steps of their papers", "[exchange]") {
  for (auto const by : {server_step::adagrad, server_step::yogi, server_step::adam}) {
    double x = 0, m = 0, v = 0.05 * 0.05;
    for (int round = 0; round < 40; ++round) {
      double const d = 0.1 * 15 / 8 * (-0.8 - x);
      m = 0.9 * m + 0.1 * d;
      if (by == server_step::adagrad) v = v + d * d;
      if (by == server_step::adam) v = 0.95 * v + 0.05 * d * d;
      if (by == server_step::yogi) v = v < d * d ? v + 0.05 * d * d : v - 0.05 * d * d;
      x += 0.03 * m / (std::sqrt(v) + 0.05);
    }
    fed_opt<> const exchange{{}, by, 0.03, 0.9, 0.95, 0.05};
    CHECK(settled(ring{8}, exchange, 40).rows[0][0] == Approx(x).epsilon(1e-12));
    CHECK(std::abs(x) > 0.1);
  }
}

// Where x stays d is 0, as in federated averaging.
TEST_CASE("FedOpt settles where its base settles", "[exchange]") {
  for (auto const by : {server_step::momentum, server_step::yogi, server_step::adam}) {
    fed_opt<> const exchange{{.local_steps = 5}, by, 0.5, 0.5, 0.9, 1};
    CHECK(settled(ring{8}, exchange, 5 * 500).rows[0][0] == Approx(-0.673851).margin(5e-7));
  }
}

TEST_CASE("FedOpt with momentum of 0 at a rate of 1 is its base", "[exchange]") {
  fed_avg const plain{.clients = 3, .local_steps = 4};
  auto const found = settled(ring{8}, fed_opt<>{plain, server_step::momentum, 1, 0}, 50);
  CHECK(found.rows[0][0] == Approx(settled(ring{8}, plain, 50).rows[0][0]).epsilon(1e-13));
}

TEST_CASE("FedOpt refuses hyper-parameters out of range", "[exchange]") {
  auto const refused = [](fed_opt<> const &exchange, char const *words) {
    CHECK_THROWS_WITH(check_on(exchange, ring{8}.build()), contains(words));
  };
  refused({{}, server_step::adam, -1}, "fed_opt: rate: expected a number from 0 to 1000000");
  refused({{}, server_step::adam, 1, 1},
          "fed_opt: first_decay: expected a number from 0 to below 1");
  refused({{}, server_step::adam, 1, 0, 1}, "fed_opt: second_decay: expected a number from 0");
  refused({{}, server_step::adam, 1, 0, 0, 0},
          "fed_opt: floor: expected a number above 0 and at most 1000000");
  refused({{.local_steps = 0}}, "fed_opt: local_steps: expected a whole number of at least 1");
}
