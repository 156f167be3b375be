// Epidemic learning: the laws, and how fast distances shrink on average.
#include <gossip/exchange/epidemic_learning.hpp>

#include <gossip/topology/ring.hpp>

#include "fitting.hpp"
#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::epidemic_learning;
using gossip::peer_sampling;

namespace {

/// The mean over rounds and seeds of what one round leaves of (1/n) sum_i |x_i - mean|^2.
double shrinkage(epidemic_learning const &exchange) {
  double sum = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    small_network network{gossip::ring{20}, scattered<60>{}, gossip::sgd{.rate = 1.0},
                          some_exchange{exchange}};
    auto const seen = watched(network, {.seed = seed, .stop = gossip::rounds{9}}, 1.0).seen;
    for (std::size_t k = 1; k < seen.size(); ++k, ++count)
      sum += seen[k].distance() / seen[k - 1].distance();
  }
  return sum / count;
}

}  // namespace

TEST_CASE("epidemic learning keeps the laws of exchanges", "[exchange]") {
  check_exchange(fitting_rounds{epidemic_learning{.peers = 2, .local_steps = 2}},
                 {.keeps_mean = false});
  check_exchange(fitting_rounds{epidemic_learning{.peers = 2, .sampling = peer_sampling::oracle}});
  check_with_loss(fitting_rounds{epidemic_learning{.peers = 2}}, {.keeps_mean = false});
  check_with_absence(fitting_rounds{epidemic_learning{.peers = 2}}, {.keeps_mean = false});
}

// With r others heard a round's mean is of r + 1 of n nodes drawn without replacement, whose
// variance is (1/(r + 1)) (n - r - 1) / (n - 1) of all; r is s by an oracle, else binomial of n - 1
// and s / (n - 1), over which the expectation is (1/s) (1 - (1 - s/(n - 1))^n) - 1/(n - 1).
TEST_CASE("rounds of epidemic learning shrink distances as their closed forms", "[exchange]") {
  constexpr double n = 20;
  for (std::size_t const s : {2, 5}) {
    double const share = static_cast<double>(s) / (n - 1);
    double const local = (1 - std::pow(1 - share, n)) / static_cast<double>(s) - 1 / (n - 1);
    double const oracle = (1 - share) / static_cast<double>(s + 1);
    CHECK(local == Approx(s == 2 ? 0.3933 : 0.1469).margin(5e-5));
    CHECK(oracle == Approx(s == 2 ? 0.2982 : 0.1228).margin(5e-5));
    CHECK(shrinkage({.peers = s}) == Approx(local).epsilon(0.03));
    CHECK(shrinkage({.peers = s, .sampling = peer_sampling::oracle}) ==
          Approx(oracle).epsilon(0.03));
  }
}

TEST_CASE("epidemic learning with all for peers is the mean of all", "[exchange]") {
  for (auto const sampling : {peer_sampling::local, peer_sampling::oracle}) {
    epidemic_learning const exchange{.peers = 3, .sampling = sampling};
    auto const x = mixed_numbers(gossip::ring{4}, exchange, {1, 5, 7, 11}, 1);
    for (double const value : x) CHECK(value == Approx(6).epsilon(1e-14));
  }
}

TEST_CASE("epidemic learning refuses no peers, more than others, and graphs that do not exist",
          "[exchange]") {
  CHECK_THROWS_WITH(
      settled(gossip::ring{8}, epidemic_learning{.peers = 0}, 1),
      contains("epidemic_learning: peers: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(
      settled(gossip::ring{8}, epidemic_learning{.peers = 8}, 1),
      contains("epidemic_learning: peers: expected at most the number of other nodes, 7, got 8"));
  CHECK_NOTHROW(epidemic_learning{.peers = 7}.check(gossip::ring{8}.build()));
  CHECK_NOTHROW(epidemic_learning{}.check(gossip::ring{1}.build()));
  epidemic_learning const odd{.peers = 3, .sampling = peer_sampling::oracle};
  CHECK_THROWS_WITH(settled(gossip::ring{5}, odd, 1), contains("5 nodes of degree 3 do not exist"));
}
