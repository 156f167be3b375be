// One-peer exponential rounds: doubly stochastic, and exact after a period where n is a power of 2.
#include <gossip/mixing/one_peer.hpp>

#include <gossip/topology/exponential.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "../catch.hpp"

namespace {

using matrix = std::vector<std::vector<double>>;

// The greatest entry of W^(tau-1) ... W^(0) - J, with the rounds begun at `phase`.
double left_of(std::size_t n, std::size_t phase) {
  auto const rounds = gossip::one_peer{}.weights(gossip::exponential{n}.build());
  matrix product(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) product[i][i] = 1.0;
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    auto const &w = rounds[(phase + k) % rounds.size()];
    CHECK(w.is_doubly_stochastic());
    matrix next(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < n; ++c) next[i][c] += w.at(i, j) * product[j][c];
    product = next;
  }
  double most = 0;
  for (auto const &row : product)
    for (double const value : row)
      most = std::max(most, std::abs(value - 1.0 / static_cast<double>(n)));
  return most;
}

}  // namespace

TEST_CASE("a period of one-peer rounds is the mean of 2^tau nodes, from any round on", "[mixing]") {
  for (std::size_t const n : {1, 2, 4, 8, 16, 32})
    for (std::size_t phase = 0; phase < 5; ++phase) CHECK(left_of(n, phase) == 0.0);
}

// The product of the period's circulants, by NumPy.
TEST_CASE("of other numbers of nodes it leaves what is published", "[mixing]") {
  CHECK(left_of(6, 0) == Approx(0.0833333).epsilon(1e-5));
  CHECK(left_of(12, 0) == Approx(0.0416667).epsilon(1e-5));
  CHECK(left_of(25, 0) == Approx(0.0225).epsilon(1e-5));
}

TEST_CASE("node i hears from node i + 2^k in round k", "[mixing]") {
  auto const g = gossip::exponential{6}.build();
  auto const rounds = gossip::one_peer{}.weights(g);
  REQUIRE(rounds.size() == 3);
  CHECK(rounds[1].at(5, 1) == 0.5);
  CHECK(rounds[1].at(5, 5) == 0.5);
  CHECK(rounds[2].at(0, 4) == 0.5);
  CHECK(g.directed());
  CHECK(g.degree(4) == 3);  // it sends to 3, 2 and 0
}
