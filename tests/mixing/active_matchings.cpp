// Tests of graphs as matchings with probabilities.
#include <gossip/mixing/active_matchings.hpp>

#include <gossip/core/random.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/topology/barabasi_albert.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/dumbbell.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/grid.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "../catch.hpp"

using namespace gossip;
using gossip::test::contains;

namespace {

/// Two triangles, and an edge between them.
graph barbell() {
  return graph::undirected(6, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}});
}

}  // namespace

TEST_CASE("every edge of a graph is in one of its matchings", "[mixing]") {
  for (graph const &g : {barbell(), ring{9}.build(), complete{7}.build(),
                         random_regular{.nodes = 40, .degree = 5}.build(3)}) {
    std::set<std::pair<node, node>> seen;
    auto const all = matchings_of(g);
    for (matching const &one : all)
      for (node i = 0; i < g.nodes(); ++i) {
        CHECK(one[one[i]] == i);
        if (one[i] > i) CHECK(seen.emplace(i, one[i]).second);
      }
    CHECK(seen.size() == g.edges());
    for (auto const &[i, j] : seen) {
      auto const near = g.neighbors(i);
      CHECK(std::ranges::find(near, j) != near.end());
    }
  }
}

// I - 2 share p L + share^2 (p^2 L^2 + 2 p (1 - p) L) with L of eigenvalue 2: 1 - p at a half.
TEST_CASE("an edge at work half of the time averages then", "[mixing]") {
  auto const found = matchings_for(ring{2}.build(), 0.5);
  CHECK(found.share == Approx(0.5).epsilon(1e-6));
  CHECK(found.rho == Approx(0.5).epsilon(1e-6));
}

// alpha = 2 / (lambda_2 + lambda_n) of the Laplacian, which leaves ((lambda_n - lambda_2) /
// (lambda_n
// + lambda_2))^2: a ring of eight has 2 - sqrt(2) and 4.
TEST_CASE("a budget of 1 is the best constant weight of the graph", "[mixing]") {
  auto const found = matchings_for(ring{8}.build(), 1);
  double const least = 2 - std::sqrt(2.0), share = 2 / (least + 4);
  CHECK(found.share == Approx(share).epsilon(1e-3));
  CHECK(found.rho == Approx(std::pow((4 - least) / (4 + least), 2)).epsilon(1e-4));
  auto const w = found.weights(ring{8}.build(), std::vector<bool>(found.matchings.size(), true));
  CHECK(w.at(0, 1) == Approx(share).epsilon(1e-3));
  CHECK(w.is_doubly_stochastic());
}

// Of all probabilities in steps of 0.02 the best are 0.7 for the matching with the edge between the
// triangles and 0.4 for both others, with a connectivity of 0.2370 in the place of 0.2192.
TEST_CASE("probabilities keep the budget and make the network well connected", "[mixing]") {
  graph const g = barbell();
  auto const found = matchings_for(g, 0.5);
  double sum = 0, bridge = 0;
  for (std::size_t m = 0; m < found.matchings.size(); ++m) {
    CHECK((found.probability[m] >= 0 && found.probability[m] <= 1));
    sum += found.probability[m];
    if (found.matchings[m][2] == 3) bridge = found.probability[m];
  }
  CHECK(sum == Approx(0.5 * static_cast<double>(found.matchings.size())).epsilon(1e-9));
  CHECK(bridge == Approx(0.7).margin(0.03));
  CHECK(found.connectivity == Approx(0.2370).margin(2e-4));
}

// The mean over draws of |W x|^2 for x of mean 0 and length 1 is never above rho.
TEST_CASE("a round leaves no more than rho on average", "[mixing]") {
  graph const g = barbell();
  auto const found = matchings_for(g, 0.5);
  std::vector<double> x{1, 1, 1, -1, -1, -1}, y(6);
  for (double &one : x) one /= std::sqrt(6.0);
  double sum = 0;
  constexpr int draws = 20'000;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    keyed_random random(seed, purpose::user, 0, 0);
    std::vector<bool> at_work;
    for (double const p : found.probability) at_work.push_back(random.uniform() < p);
    detail::multiply(found.weights(g, at_work), x, y);
    for (double const one : y) sum += one * one / draws;
  }
  CHECK(sum < found.rho * 1.005);
  CHECK(sum > found.rho * 0.9);
}

// By the program of the paper's authors, with alpha and probabilities from a semidefinite program.
TEST_CASE("probabilities and share are those of the paper's optimum", "[mixing]") {
  struct line {
    char const *name;
    graph network;
    double budget, connectivity, share, rho;
  };
  std::vector<line> const table{
      {"ring", ring{8}.build(), 0.5, 0.2929, 0.607, 0.784},
      {"star", star{7}.build(), 0.3, 0.300, 0.526, 0.825},
      {"grid", grid{3, 4}.build(), 0.5, 0.3925, 0.436, 0.779},
      {"dumbbell", dumbbell{.clique = 5, .between = 1}.build(), 0.5, 0.141, 0.391, 0.901}};
  for (line const &one : table) {
    INFO(one.name);
    auto const found = matchings_for(one.network, one.budget);
    CHECK(found.connectivity == Approx(one.connectivity).margin(1e-3));
    CHECK(found.share == Approx(one.share).margin(1e-3));
    CHECK(found.rho == Approx(one.rho).margin(1e-3));
  }
}

/// The connectivity of a network of which a bound is known, in shares of it.
double share_of(double bound, graph const &g, double budget) {
  return matchings_for(g, budget).connectivity / bound;
}

// Of an even ring both matchings are at work as often, by symmetry: 2 - 2 cos(2 pi / n) times the
// budget. Its eigenvalues lie as close to 0 as 5e-6.
TEST_CASE("the connectivity of a long ring is that of its closed form", "[mixing]") {
  double const half = std::sin(std::acos(-1.0) / 2000);
  CHECK(share_of(0.5 * 4 * half * half, ring{2000}.build(), 0.5) == Approx(1).epsilon(1e-4));
}

// Bounds by tests/reference/matchings.py, which solves all of the program with NumPy.
TEST_CASE("probabilities of networks of hundreds are the best", "[mixing]") {
  CHECK(share_of(0.0804721, barabasi_albert{240, 2}.build(1), 0.1) == Approx(1).epsilon(1e-3));
  CHECK(share_of(2.31505e-4, dumbbell{.clique = 30, .between = 150}.build(), 0.5) ==
        Approx(1).epsilon(1e-3));
  CHECK(share_of(1.43690, erdos_renyi{300, 0.03}.build(1), 0.5) == Approx(1).epsilon(1e-3));
}

// A star has an eigenvalue of as many vectors as it has leaves but one; more than a space keeps.
TEST_CASE("a star of a hundred has its edges at work alike", "[mixing]") {
  CHECK(share_of(0.3, star{100}.build(), 0.3) == Approx(1).epsilon(1e-6));
}

TEST_CASE("the best share weighs a node's own model below 0 unless it is kept positive",
          "[mixing]") {
  graph const g = barabasi_albert{16, 2}.build(1);
  auto const lowest = [&](active_matchings const &found) {
    auto const w = found.weights(g, std::vector<bool>(found.matchings.size(), true));
    double least = 1;
    for (node i = 0; i < g.nodes(); ++i) least = std::min(least, w.at(i, i));
    return least;
  };
  auto const free = matchings_for(g, 0.3), kept = matchings_for(g, 0.3, true);
  CHECK(lowest(free) < -1);
  CHECK(lowest(kept) >= -1e-12);
  CHECK(free.rho < kept.rho - 0.05);
}

TEST_CASE("a graph in pieces has no connectivity and nothing agrees", "[mixing]") {
  auto const found = matchings_for(graph::undirected(4, {{0, 1}, {2, 3}}), 0.5);
  CHECK(found.connectivity == Approx(0).margin(1e-6));
  CHECK(found.rho == Approx(1).margin(1e-6));
}

TEST_CASE("matchings refuse directed graphs and budgets of nothing", "[mixing]") {
  CHECK_THROWS_WITH(matchings_for(graph::directed(3, {{0, 1}, {1, 2}, {2, 0}}), 0.5),
                    contains("matchings_for: expected an undirected topology"));
  CHECK_THROWS_WITH(matchings_for(ring{4}.build(), 0), contains("matchings_for: budget"));
}
