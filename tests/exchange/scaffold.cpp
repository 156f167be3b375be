// SCAFFOLD: the laws, the common minimum, and one client of one step by a plain loop.
#include <gossip/exchange/scaffold.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::client_control;
using gossip::ring;
using gossip::scaffold;

TEST_CASE("SCAFFOLD keeps the laws of exchanges", "[exchange]") {
  check_exchange(scaffold{.local_steps = 2});
  check_exchange(scaffold{.clients = 1, .control = client_control::gradient},
                 {.keeps_mean = false, .reaches_mean = false});
}

// Of sampled clients too: where g_i(x) = c_i and c = 0 nobody moves.
TEST_CASE("SCAFFOLD ends at the minimum of the sum, whatever its local steps", "[exchange]") {
  for (auto const control : {client_control::gradient, client_control::mean_step})
    for (std::size_t const clients : {0, 3}) {
      scaffold const exchange{.clients = clients, .local_steps = 5, .control = control};
      auto const end = settled(ring{8}, exchange, 5 * 2000);
      REQUIRE(end.rows.size() == 1);  // the server's
      CHECK(end.rows[0][0] == Approx(-0.8).margin(1e-12));
    }
}

// y - x = -(1 - (1 - rate a)^H) / a (g(x) - c_i + c) after H steps.
TEST_CASE("a round of SCAFFOLD is that of its equations on quadratics", "[exchange]") {
  auto const valleys = alternating_valleys();
  for (auto const control : {client_control::gradient, client_control::mean_step}) {
    scaffold const exchange{.local_steps = 3, .control = control, .server_rate = 0.7};
    double x = 0, c = 0, own[8] = {};
    for (int round = 0; round < 20; ++round) {
      double moved = 0, changed = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        double const a = valleys.curvature[i], gradient = a * (x - valleys.optimum[i]);
        double const y = x - (1 - std::pow(1 - 0.1 * a, 3)) / a * (gradient - own[i] + c);
        double const next =
            control == client_control::gradient ? gradient : own[i] - c + (x - y) / (3 * 0.1);
        moved += (y - x) / 8;
        changed += (next - own[i]) / 8;
        own[i] = next;
      }
      x += 0.7 * moved;
      c += changed;
    }
    CHECK(settled(ring{8}, exchange, 60).rows[0][0] == Approx(x).epsilon(1e-12));
    CHECK(std::abs(x + 0.8) > 1e-6);
  }
}

TEST_CASE("SCAFFOLD of one step of all is SGD of the mean gradient", "[exchange]") {
  auto const one = settled(ring{8}, scaffold{.local_steps = 1}, 30);
  CHECK(one.rows[0][0] ==
        Approx(settled(ring{8}, gossip::all_reduce{}, 30).mean(0)).epsilon(1e-13));
}

// Two models to each of three clients and two back, in rounds of two steps.
TEST_CASE("SCAFFOLD counts models and controls", "[exchange]") {
  small_network network{ring{6}, alternating_valleys(), gossip::sgd{.rate = 0.1},
                        scaffold{.clients = 3, .local_steps = 2}};
  CHECK(watched(network, {.stop = gossip::rounds{4}}, at_the_end).report.bytes_sent ==
        4 * 3 * 4 * sizeof(double));
}

TEST_CASE("SCAFFOLD refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, scaffold{.clients = 9}, 1), contains("at most 8, all nodes"));
  CHECK_THROWS_WITH(
      settled(ring{8}, scaffold{.local_steps = 0}, 1),
      contains("scaffold: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, scaffold{.server_rate = -1}, 1),
                    contains("scaffold: server_rate"));
}
