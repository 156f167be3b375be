// Teleportation: the laws, what moves where, and all-reduce of all nodes.
#include <gossip/exchange/teleportation.hpp>

#include <gossip/core/random.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "fitting.hpp"
#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::active_graph;
using gossip::ring;
using gossip::teleportation;

TEST_CASE("teleportation keeps the laws of exchanges", "[exchange]") {
  check_exchange(fitting_teleportation{{.active = 100}});
  check_exchange(fitting_teleportation{{.active = 5, .among = active_graph::ring}},
                 {.keeps_mean = false, .reaches_mean = false});
  check_exchange(fitting_teleportation{{.active = 2, .among = active_graph::complete}},
                 {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("teleportation of all nodes on a complete graph is all-reduce", "[exchange]") {
  teleportation const all{.active = 8, .among = active_graph::complete};
  auto const central = settled(ring{8}, gossip::all_reduce{}, 57);
  for (auto const &row : settled(ring{8}, all, 57).rows)
    CHECK(row[0] == Approx(central.mean(0)).epsilon(1e-13));
}

// Valleys of equal curvature lead a single model, which visits every node as often, to the mean of
// their optima, with a variance of rate / (2 - rate) times that of the optima.
TEST_CASE("a single model of teleportation learns from all nodes", "[exchange]") {
  gossip::quadratic<1> const valleys{.curvature = {1.0}, .optimum = {1, 2, 3, 4, 5, 6, 7, 12}};
  small_network network{ring{8}, valleys, gossip::sgd{.rate = 0.02}, teleportation{.active = 1}};
  auto const seen = watched(network, {.stop = gossip::rounds{5000}}, 1.0).seen;
  double sum = 0, squares = 0, count = 0;
  for (snapshot const &now : seen) {
    if (now.at.mark.node_iterations < 2000) continue;
    for (auto const &row : now.rows) {  // as nodes keep what they had when they were active
      sum += row[0];
      squares += (row[0] - 5) * (row[0] - 5);
      ++count;
    }
  }
  CHECK(sum / count == Approx(5).margin(0.1));
  CHECK(squares / count == Approx(0.02 / 1.98 * 10.5).epsilon(0.2));
}

// A fetched model and two of a ring for each of four active nodes; nobody fetches in the first
// round, nor of itself.
TEST_CASE("teleportation sends few models", "[exchange]") {
  small_network network{ring{16}, gossip::quadratic<1>{}, gossip::sgd{.rate = 0.1},
                        teleportation{.active = 4, .among = active_graph::ring}};
  auto const bytes = watched(network, {.stop = gossip::rounds{25}}, at_the_end).report.bytes_sent;
  CHECK(bytes <= (100 * 3 - 1) * 4 * sizeof(double));
  CHECK(bytes > 280 * 4 * sizeof(double));
}

// 60 lists of three of five nodes: 500 each of 30,000, with a deviation of 22.
TEST_CASE("random nodes come in every order with the same chance", "[exchange]") {
  std::map<std::vector<gossip::node>, int> counts;
  for (std::uint64_t seed = 0; seed < 30'000; ++seed) {
    gossip::keyed_random random(seed, gossip::purpose::user, 0, 0);
    ++counts[gossip::random_nodes(5, 3, [&] { return random.uniform(); })];
  }
  CHECK(counts.size() == 60);
  for (auto const &[list, count] : counts) CHECK(std::abs(count - 500) < 120);
}

TEST_CASE("teleportation refuses no active nodes", "[exchange]") {
  CHECK_THROWS_WITH(
      settled(ring{8}, teleportation{.active = 9}, 1),
      contains("teleportation: active: expected at most the number of nodes, 8, got 9"));
  CHECK_THROWS_WITH(
      settled(ring{8}, teleportation{.active = 0}, 1),
      contains("teleportation: active: expected a whole number of at least 1, got 0"));
}
