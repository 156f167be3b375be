// DiLoCo: the laws, Nesterov's momentum for one local step, and its fixed point.
#include <gossip/exchange/diloco.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::diloco;
using gossip::ring;

TEST_CASE("DiLoCo keeps the laws of exchanges", "[exchange]") {
  check_exchange(diloco{.local_steps = 3}, {.keeps_mean = false});
}

// An outer gradient of one step at rate r is r times the mean gradient.
TEST_CASE("DiLoCo of one step of plain SGD is Nesterov's momentum at the product of the rates",
          "[exchange]") {
  diloco const exchange{.local_steps = 1, .outer_rate = 0.7, .outer_momentum = 0.9};
  auto const outer = settled_by({.rate = 0.02}, ring{8}, exchange, 57);
  auto const central = settled_by({.rate = 0.02 * 0.7, .momentum = 0.9, .nesterov = true}, ring{8},
                                  gossip::all_reduce{}, 57);
  for (auto const &row : outer.rows) CHECK(row[0] == Approx(central.mean(0)).epsilon(1e-12));
}

TEST_CASE("DiLoCo at an outer rate of 1 without momentum is local SGD", "[exchange]") {
  diloco const exchange{.local_steps = 5, .outer_rate = 1, .outer_momentum = 0};
  CHECK(settled(ring{8}, exchange, 57).rows ==
        settled(ring{8}, gossip::local_sgd{.local_steps = 5}, 57).rows);
}

// The outer gradient is none where local SGD settles.
TEST_CASE("DiLoCo settles where local SGD settles", "[exchange]") {
  auto const end = settled(ring{8}, diloco{.local_steps = 5}, 5000);
  for (auto const &row : end.rows) CHECK(row[0] == Approx(-0.673851).margin(5e-7));
}

TEST_CASE("DiLoCo refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, diloco{.local_steps = 0}, 1),
                    contains("diloco: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, diloco{.outer_rate = -1}, 1), contains("diloco: outer_rate"));
  CHECK_THROWS_WITH(settled(ring{8}, diloco{.outer_momentum = 1}, 1),
                    contains("diloco: outer_momentum: expected a number from 0 to below 1"));
}
