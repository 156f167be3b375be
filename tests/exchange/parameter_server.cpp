// Asynchronous SGD with a parameter server: the laws, and three gradients by hand.
#include <gossip/exchange/parameter_server.hpp>

#include <gossip/clock/constant_time.hpp>
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
                        parameter_server{},
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
