// Asynchronous SGD with a parameter server: the laws, and three gradients by hand.
#include <gossip/exchange/parameter_server.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/topology/ring.hpp>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::parameter_server;

TEST_CASE("the parameter server keeps the laws of exchanges", "[exchange]") {
  check_exchange(parameter_server{}, {.keeps_mean = false});
}

// Equal compute times, and a link that takes equal time: gradients arrive in the order of the
// nodes, each taken at the model that its node was sent a round before. The run ends with the last
// step, before the answers to the last round's gradients.
TEST_CASE("the server steps by gradients at the models that it sent", "[exchange]") {
  using gossip::rounds;
  std::vector<double> const optimum{3, -1, 4};
  small_network network{gossip::ring{3},
                        gossip::quadratic<1>{.curvature = {1.0}, .optimum = optimum},
                        gossip::sgd{.rate = 0.25},
                        parameter_server{.evaluated = gossip::evaluated_models::nodes},
                        gossip::numbers<double>{},
                        gossip::openmp{.threads = 1},
                        gossip::virtual_clock{.compute = gossip::constant_time{}}};
  auto const found = watched(network, {.stop = rounds{6}}, at_the_end);
  double server = 0;
  std::vector<double> x(3, 0.0);
  for (int round = 0; round < 5; ++round)
    for (std::size_t i = 0; i < 3; ++i) {
      server -= 0.25 * (x[i] - optimum[i]);
      x[i] = server;
    }
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(found.seen.back().rows[i][0] == Approx(x[i]).margin(1e-15));
  // 18 gradients to the server and 18 models back, of which those of the last round do not arrive.
  CHECK(found.report.node_iterations == 18);
  CHECK(found.report.bytes_sent == (18 + 18) * sizeof(double));
}

// As plain SGD keeps no row where none waits, and momentum one in any case.
TEST_CASE("no gradient waits in a row of the optimizer of a parameter server", "[exchange]") {
  auto const bytes_of_rows = [](double momentum) {
    small_network network{gossip::ring{3},
                          gossip::quadratic<1>{},
                          gossip::sgd{.rate = 0.25, .momentum = momentum},
                          parameter_server{},
                          gossip::numbers<double>{},
                          gossip::openmp{.threads = 1}};
    return watched(network, {.stop = gossip::rounds{1}}, at_the_end).report.announced.rows;
  };
  CHECK(bytes_of_rows(0.0) < bytes_of_rows(0.9));
}

// Nodes of equal speed: the last of five rounds leaves the server with all 15 gradients, and the
// nodes with models of 0 to 2 steps before.
TEST_CASE("observers look at the server, or by option at the nodes, of the same run",
          "[exchange]") {
  std::vector<double> const optimum{3, -1, 4};
  auto const run_of = [&](gossip::evaluated_models evaluated, some_exchange const &exchange) {
    small_network network{gossip::ring{3},
                          gossip::quadratic<1>{.curvature = {1.0}, .optimum = optimum},
                          gossip::sgd{.rate = 0.25},
                          exchange,
                          gossip::numbers<double>{},
                          gossip::openmp{.threads = 1},
                          gossip::virtual_clock{.compute = gossip::constant_time{}}};
    auto const found = watched(network, {.stop = gossip::rounds{5}}, at_the_end);
    CHECK(found.seen.back().rows.size() == (evaluated == gossip::evaluated_models::nodes ? 3 : 1));
    return found;
  };
  double server = 0;
  std::vector<double> x(3, 0.0);
  for (int round = 0; round < 5; ++round)
    for (std::size_t i = 0; i < 3; ++i) {
      server -= 0.25 * (x[i] - optimum[i]);
      x[i] = server;
    }
  using enum gossip::evaluated_models;
  auto const at_server = run_of(servers, parameter_server{});
  CHECK(at_server.seen.back().rows[0][0] == Approx(server).margin(1e-15));
  CHECK(run_of(nodes, parameter_server{nodes}).report.digest == at_server.report.digest);
  CHECK(run_of(servers, gossip::softsync{.by_staleness = false}).seen.back().rows ==
        at_server.seen.back().rows);
  CHECK(run_of(nodes, gossip::softsync{.evaluated = nodes}).report.digest ==
        run_of(servers, gossip::softsync{}).report.digest);
  CHECK(run_of(nodes, gossip::synchronous_server{.evaluated = nodes}).report.digest ==
        run_of(servers, gossip::synchronous_server{}).report.digest);
}

// A server gets gradients alone: its statistics of batch normalisation would be those of the start.
TEST_CASE("a server that is evaluated has statistics measured anew, or is refused", "[exchange]") {
  using gossip::statistics_mode;
  gossip::exchange_outline const of = gossip::outline_of_exchange(parameter_server{});
  for (auto const kept : {statistics_mode::mixed, statistics_mode::own})
    CHECK_THROWS_WITH(
        gossip::detail::require_statistics_of_servers(kept, of),
        contains("run: statistics: expected reestimated, or nodes that are evaluated, "
                 "for an exchange whose server is sent gradients alone, got "));
  gossip::detail::require_statistics_of_servers(statistics_mode::reestimated, of);
  gossip::detail::require_statistics_of_servers(
      statistics_mode::mixed,
      gossip::outline_of_exchange(parameter_server{gossip::evaluated_models::nodes}));
}
