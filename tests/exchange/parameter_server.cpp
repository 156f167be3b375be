// Asynchronous SGD with a parameter server: the laws, and three gradients by hand.
#include <gossip/exchange/parameter_server.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/simulator/run_plan.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::parameter_server;

namespace {

std::vector<double> const server_optimum{3, -1, 4};

/// Equal compute times, and a link that takes equal time: gradients arrive in the order of the
/// three nodes, each taken at the model that its node was sent a round before.
watched_run server_run_of(some_exchange const &exchange, std::uint64_t count) {
  small_network network{gossip::ring{3},
                        gossip::quadratic<1>{.curvature = {1.0}, .optimum = server_optimum},
                        gossip::sgd{.rate = 0.25}, exchange,
                        gossip::virtual_clock{.compute = gossip::constant_time{}}};
  return watched(network, {.stop = gossip::rounds{count}}, at_the_end);
}

/// The server's model behind the gradients of five rounds, then those that it has sent nodes.
std::vector<double> five_rounds_by_hand() {
  std::vector<double> x(4, 0.0);
  for (int round = 0; round < 5; ++round)
    for (std::size_t i = 0; i < 3; ++i) {
      x[0] -= 0.25 * (x[i + 1] - server_optimum[i]);
      x[i + 1] = x[0];
    }
  return x;
}

}  // namespace

TEST_CASE("the parameter server keeps the laws of exchanges", "[exchange]") {
  check_exchange(parameter_server{}, {.keeps_mean = false});
  check_kind(parameter_server{});
}

// The run ends with the last step, before the answers to the last round's gradients.
TEST_CASE("the server steps by gradients at the models that it sent", "[exchange]") {
  auto const found =
      server_run_of(parameter_server{.evaluated = gossip::evaluated_models::nodes}, 6);
  auto const x = five_rounds_by_hand();
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(found.seen.back().rows[i][0] == Approx(x[i + 1]).margin(1e-15));
  // 18 gradients to the server and 18 models back, of which those of the last round do not arrive.
  CHECK(found.report.node_iterations == 18);
  CHECK(found.report.bytes_sent == (18 + 18) * sizeof(double));
}

// As plain SGD keeps no row where none waits, and momentum one in any case.
TEST_CASE("no gradient waits in a row of the optimizer of a parameter server", "[exchange]") {
  auto const bytes_of_rows = [](double momentum) {
    small_network network{gossip::ring{3}, gossip::quadratic<1>{},
                          gossip::sgd{.rate = 0.25, .momentum = momentum}, parameter_server{}};
    return watched(network, {.stop = gossip::rounds{1}}, at_the_end).report.announced.rows;
  };
  CHECK(bytes_of_rows(0.0) < bytes_of_rows(0.9));
}

TEST_CASE("observers look at the server, or by option at the nodes, of the same run",
          "[exchange]") {
  using enum gossip::evaluated_models;
  auto const at_server = server_run_of(parameter_server{}, 5);
  REQUIRE(at_server.seen.back().rows.size() == 1);
  CHECK(at_server.seen.back().rows[0][0] == Approx(five_rounds_by_hand()[0]).margin(1e-15));
  auto const check = [](some_exchange const &of_server, some_exchange const &of_nodes) {
    auto const found = server_run_of(of_server, 5), other = server_run_of(of_nodes, 5);
    CHECK(found.seen.back().rows.size() == 1);
    CHECK(other.seen.back().rows.size() == 3);
    CHECK(found.report.digest == other.report.digest);
  };
  check(parameter_server{}, parameter_server{nodes});
  check(gossip::softsync{}, gossip::softsync{.evaluated = nodes});
  check(gossip::synchronous_server{}, gossip::synchronous_server{.evaluated = nodes});
}

// A server gets gradients alone: its statistics of batch normalisation would be those of the start.
TEST_CASE("a server that is evaluated has statistics measured anew, or is refused", "[exchange]") {
  using gossip::statistics_mode;
  gossip::exchange_outline const of = gossip::outline_of_exchange(parameter_server{});
  for (auto const kept : {statistics_mode::mixed, statistics_mode::own})
    CHECK_THROWS_WITH(gossip::detail::require_statistics_of_servers(kept, of),
                      contains("run: statistics: expected reestimated, or evaluated set to nodes, "
                               "for an exchange whose server receives gradients alone, got "));
  gossip::detail::require_statistics_of_servers(statistics_mode::reestimated, of);
  gossip::detail::require_statistics_of_servers(
      statistics_mode::mixed,
      gossip::outline_of_exchange(parameter_server{gossip::evaluated_models::nodes}));
}
