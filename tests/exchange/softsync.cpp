// Staleness-aware asynchronous SGD: the laws, gradients by hand, and the rates that it stands.
#include <gossip/exchange/softsync.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::parameter_server;
using gossip::ring;
using gossip::softsync;

namespace {

/// Nodes of equal speed: gradients arrive in the order of the nodes, and of n nodes every one is
/// n - 1 steps stale once all have sent one, where the server steps by each.
watched_run run_of(std::size_t nodes, some_exchange const &exchange, double rate,
                   std::uint64_t count, std::vector<double> const &optimum, double start = 0) {
  small_network network{
      ring{nodes}, gossip::quadratic<1>{.curvature = {1.0}, .optimum = optimum, .start = start},
      gossip::sgd{.rate = rate}, exchange,
      gossip::virtual_clock{.compute = gossip::constant_time{}}};
  return watched(network, {.stop = gossip::rounds{count}}, at_the_end);
}

/// The magnitude of models of nodes that pull to 0 from 1.
double size_of(std::size_t nodes, some_exchange const &exchange, double rate) {
  double const x = run_of(nodes, exchange, rate, 6000 / nodes, {0}, 1).seen.back().rows[0][0];
  return std::isfinite(x) ? std::abs(x) : 1e300;
}

}  // namespace

TEST_CASE("staleness-aware SGD keeps the laws of exchanges", "[exchange]") {
  check_exchange(softsync{}, {.keeps_mean = false});
  check_exchange(softsync{.collected = 2}, {.keeps_mean = false});
  check_with_loss(softsync{}, {.keeps_mean = false}, gossip::after_loss::send_again);
}

TEST_CASE("the server divides gradients by the steps since it sent their models", "[exchange]") {
  for (std::size_t const collected : {1, 2}) {
    std::vector<double> const optimum{3, -1, 4};
    double server = 0, sum = 0;
    std::vector<double> x(3, 0.0);
    std::vector<int> version(3, 0);
    int steps = 0;
    std::size_t heard = 0;
    for (int round = 0; round < 5; ++round)
      for (std::size_t i = 0; i < 3; ++i) {
        sum += (x[i] - optimum[i]) / std::max(steps - version[i], 1);
        if (++heard == collected) {
          server -= 0.25 * sum / static_cast<double>(collected);
          sum = 0, heard = 0, ++steps;
        }
        x[i] = server, version[i] = steps;
      }
    softsync const of_workers{.collected = collected, .evaluated = gossip::evaluated_models::nodes};
    auto const found = run_of(3, of_workers, 0.25, 6, optimum);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(found.seen.back().rows[i][0] == Approx(x[i]).margin(1e-14));
    CHECK(found.report.node_iterations == 18);
    CHECK(found.report.bytes_sent == (18 + 18) * sizeof(double));
  }
}

// x+ = x - q x of tau steps before converges for q < 2 sin(pi / (2 (2 tau + 1))).
TEST_CASE("a server stands the rates of its delay, and by staleness all below 1", "[exchange]") {
  for (std::size_t const nodes : {2, 3, 6}) {
    double const tau = static_cast<double>(nodes - 1);
    double const most = 2 * std::sin(std::acos(-1.0) / (2 * (2 * tau + 1)));
    CHECK(most == Approx(nodes == 2 ? 1 : nodes == 3 ? 0.6180 : 0.2846).margin(5e-5));
    for (some_exchange const &plain :
         {some_exchange{parameter_server{}}, some_exchange{softsync{.by_staleness = false}}}) {
      CHECK(size_of(nodes, plain, 0.98 * most) < 1e-3);
      CHECK(size_of(nodes, plain, 1.02 * most) > 1e3);
    }
    CHECK(size_of(nodes, softsync{}, 0.95) < 1e-3);
  }
}

TEST_CASE("a server that collects one gradient whatever its staleness is a parameter server",
          "[exchange]") {
  softsync const plain{.by_staleness = false};
  CHECK(settled(ring{8}, plain, 40).rows == settled(ring{8}, parameter_server{}, 40).rows);
}

TEST_CASE("staleness-aware SGD refuses to collect nothing", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, softsync{.collected = 0}, 1),
                    contains("softsync: collected: expected a whole number of at least 1, got 0"));
}
