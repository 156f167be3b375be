// D2: the laws, the common minimum, and the smallest eigenvalue that it stands.
#include <gossip/exchange/d2.hpp>

#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::d2;
using gossip::hypercube;
using gossip::metropolis_hastings;
using gossip::ring;

namespace {

/// The method on weights that it refuses.
struct unchecked_d2 : d2<metropolis_hastings> {
  void check(gossip::graph const &) const {}
};

/// Eight nodes of degree 3; the smallest eigenvalue of their usual weights is -1/2.
struct cube {
  std::size_t nodes = 8;
  gossip::graph build(std::uint64_t seed) const { return hypercube{3}.build(seed); }
};

}  // namespace

// Distances shrink as the root of the second eigenvalue, too slowly for law 5 on the fan of 17.
TEST_CASE("D2 keeps the laws of exchanges", "[exchange]") {
  check_exchange(d2<>{}, {.reaches_mean = false});
}

TEST_CASE("D2 ends at the minimum of the sum, where D-PSGD has a bias", "[exchange]") {
  for (some_exchange const &exchange :
       {some_exchange{d2<>{}}, some_exchange{d2<half_metropolis>{}}}) {
    auto const found = settled(ring{8}, exchange, 2000);
    for (auto const &row : found.rows) CHECK(row[0] == Approx(-0.8).margin(1e-11));
  }
  // The smallest eigenvalue of a ring of an even number is just -1/3.
  for (auto const &row : settled(ring{8}, d2<metropolis_hastings>{}, 2000).rows)
    CHECK(row[0] == Approx(-0.8).margin(1e-11));
}

// The largest root of z^2 - 2 lambda z + lambda at lambda = -1/2, moved by the gradients; NumPy has
// 1.2352 a round, and more than 1e9 after 114 rounds.
TEST_CASE("D2 diverges on a hypercube, and ends at the minimum with half of its weights",
          "[exchange]") {
  auto const largest = [](std::uint64_t count) {
    double most = 0;
    for (auto const &row : settled(cube{}, unchecked_d2{}, count).rows)
      most = std::max(most, std::abs(row[0]));
    return most;
  };
  CHECK(largest(114) < 1e9);
  CHECK(largest(115) > 1e9);
  CHECK(largest(121) / largest(120) == Approx(1.235).margin(1e-3));
  for (auto const &row : settled(cube{}, d2<half_metropolis>{}, 2000).rows)
    CHECK(row[0] == Approx(-0.8).margin(1e-11));
}

TEST_CASE("D2 follows a rate that falls without a bias", "[exchange]") {
  small_network network{
      ring{8}, alternating_valleys(),
      gossip::scheduled{gossip::sgd{.rate = 0.1}, gossip::step_decay{.at = {20}, .gamma = 0.5}},
      d2<>{}};
  auto const run = watched(network, {.stop = gossip::rounds{3000}}, at_the_end);
  for (auto const &row : run.seen.back().rows) CHECK(row[0] == Approx(-0.8).margin(1e-11));
}

TEST_CASE("D2 refuses weights below -1/3, and those that change", "[exchange]") {
  d2<metropolis_hastings> const eager;
  CHECK_THROWS_WITH(eager.check(hypercube{3}.build()),
                    "d2: expected weights without eigenvalues below -1/3, such as "
                    "lazy_metropolis, got an eigenvalue of -0.5");
  CHECK_NOTHROW(eager.check(ring{8}.build()));
  CHECK_NOTHROW(d2<>{}.check(hypercube{3}.build()));
  CHECK_THROWS_WITH(d2<gossip::one_peer>{}.check(ring{8}.build()),
                    contains("d2: expected one matrix of weights for all rounds, got 3"));
  CHECK_THROWS_WITH(
      d2<>{}.check(gossip::graph::directed(3, {{0, 1}, {1, 2}, {2, 0}})),
      contains("lazy_metropolis: expected an undirected graph, got a directed graph"));
}
