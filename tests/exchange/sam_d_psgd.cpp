// Sharpness-aware minimization over D-PSGD: the laws, and a plain computation of its own.
#include <gossip/exchange/sam_d_psgd.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::sam {

namespace {

constexpr std::size_t ring_nodes = 8, columns = 5;
constexpr std::uint64_t seed = 11;
using rows_type = std::vector<std::vector<double>>;

quadratic<columns> const valley{
    .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.3, .start = 0.25};

struct state {
  rows_type rows;
  double loss = 0;  // of the last round, the mean over nodes
};

// a_i (x - b_i) and the noise of a batch; adds the loss.
std::vector<double> gradient(node i, std::uint64_t batch, std::vector<double> const &x,
                             double &loss) {
  double const a = valley.curvature[i % 3], b = valley.optimum[i % 4];
  keyed_random random(seed, purpose::synthetic_data, i, batch);
  std::vector<double> g;
  for (double const value : x) {
    loss += 0.5 * a * (value - b) * (value - b);
    g.push_back(a * (value - b) + valley.noise * random.normal());
  }
  return g;
}

// Rounds of SAM on a ring whose weights are 1/3.
state by_hand(double radius, double rate, std::uint64_t count) {
  state now{rows_type(ring_nodes, std::vector<double>(columns, valley.start))};
  for (std::uint64_t k = 0; k < count; ++k) {
    rows_type stepped = now.rows;
    now.loss = 0;
    for (node i = 0; i < ring_nodes; ++i) {
      auto const first = gradient(i, k, now.rows[i], now.loss);
      double square = 0, ignored = 0;
      for (double const g : first) square += g * g;
      std::vector<double> ahead = now.rows[i];
      for (std::size_t c = 0; c < columns; ++c) ahead[c] += radius * first[c] / std::sqrt(square);
      auto const second = gradient(i, k, ahead, ignored);
      for (std::size_t c = 0; c < columns; ++c) stepped[i][c] -= rate * second[c];
    }
    for (node i = 0; i < ring_nodes; ++i)
      for (std::size_t c = 0; c < columns; ++c)
        now.rows[i][c] = (stepped[i][c] + stepped[(i + 1) % ring_nodes][c] +
                          stepped[(i + ring_nodes - 1) % ring_nodes][c]) /
                         3;
    now.loss /= ring_nodes;
  }
  return now;
}

template <class Exchange>
state simulated(Exchange const &exchange, double rate, std::uint64_t count) {
  small_network network{ring{ring_nodes}, valley, sgd{.rate = rate}, exchange};
  auto const run = watched(network, {.seed = seed, .stop = rounds{count}}, 1.0);
  return {run.seen.back().rows, run.seen.back().at.loss};
}

double distance(rows_type const &a, rows_type const &b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t c = 0; c < columns; ++c) most = std::max(most, std::abs(a[i][c] - b[i][c]));
  return most;
}

}  // namespace

TEST_CASE("SAM over D-PSGD keeps the laws of exchanges", "[exchange]") {
  check_exchange(sam_d_psgd{.radius = 0.1});
}

// Other orders of sums of numbers of about 4: some units of 2^-53 a round, of which old ones
// shrink.
TEST_CASE("SAM over D-PSGD is what a plain loop computes", "[exchange]") {
  auto const found = simulated(sam_d_psgd{.radius = 0.4}, 0.1, 30);
  auto const expected = by_hand(0.4, 0.1, 30);
  CHECK(distance(found.rows, expected.rows) < 1e-14);
  CHECK(found.loss == Approx(expected.loss).epsilon(1e-13));
  CHECK(distance(found.rows, by_hand(0.0, 0.1, 30).rows) > 0.01);
}

TEST_CASE("SAM without a radius is D-PSGD that adapts, then combines", "[exchange]") {
  auto const plain = simulated(d_psgd{.order = mixing_order::adapt_then_combine}, 0.1, 10);
  auto const sam = simulated(sam_d_psgd{.radius = 0}, 0.1, 10);
  CHECK(sam.rows == plain.rows);
  CHECK(sam.loss == plain.loss);
}

TEST_CASE("a radius of SAM that is no length is refused", "[exchange]") {
  for (double const radius : {-1.0, std::nan("")})
    CHECK_THROWS_WITH(simulated(sam_d_psgd{.radius = radius}, 0.1, 1),
                      contains("sam_d_psgd: radius: expected a number of at least 0"));
}

}  // namespace gossip::test::sam
