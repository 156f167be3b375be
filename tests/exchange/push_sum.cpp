// Push-sum: the laws, the mean on a directed graph, and what it is without dividing.
#include <gossip/exchange/push_sum.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/star.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

std::vector<std::pair<double, double>> after(std::uint64_t count, double drift) {
  small_network const network{ring_with_chords{}, scattered<1>{.drift = drift}, sgd{.rate = 1.0},
                              push_sum<>{}};
  return network.row_pairs({.seed = 5, .stop = rounds{count}}, 2, 0);
}

double mean_start(std::size_t n = 7) {
  std::vector<double> const starts = scattered_starts(n);
  return std::accumulate(starts.begin(), starts.end(), 0.0) / static_cast<double>(n);
}

}  // namespace

TEST_CASE("push-sum keeps the laws of exchanges", "[exchange]") {
  check_exchange(push_sum<>{}, {.keeps_mean = false});
}

TEST_CASE("push-sum finds the mean on a directed graph whose degrees differ", "[exchange]") {
  double sum = 0;
  for (auto const &[pushed, model] : after(200, 0.0)) {
    CHECK(model == Approx(mean_start()).margin(1e-14));
    sum += pushed;
  }
  CHECK(sum == Approx(7 * mean_start()).margin(1e-13));
}

TEST_CASE("push-sum keeps the laws of exchanges where messages are lost", "[exchange]") {
  check_with_loss(push_sum<>{}, {.keeps_mean = false});
}

TEST_CASE("push-sum keeps the laws of exchanges where nodes are absent or down", "[exchange]") {
  check_with_absence(push_sum<>{}, {.keeps_mean = false});
  check_with_outages(push_sum<>{}, {.keeps_mean = false});
}

// Shares that are lost stay with their senders, of models and of weights.
TEST_CASE("push-sum finds the mean where messages are lost", "[exchange]") {
  for (double const lost : {0.3, 0.7})
    for (double const x : scattered_with_loss(lost, ring_with_chords{}, push_sum<>{}, 800))
      CHECK(x == Approx(mean_start()).margin(1e-13));
  // Of weights that are doubly stochastic too.
  for (double const x : scattered_with_loss(0.3, exponential{8}, push_sum<one_peer>{}, 400))
    CHECK(x == Approx(mean_start(8)).margin(1e-13));
}

// P w = w with sum 7, by hand: w_1 = 2/3 w_0, w_2 = 1/2 w_0, w_3 = w_4 = w_0, w_5 = w_6 = 4/3 w_0.
TEST_CASE("without dividing, nodes of a directed graph end apart, by the eigenvector of P",
          "[exchange]") {
  std::vector<double> const expected{42, 28, 21, 42, 42, 56, 56};
  auto const seen = after(200, 0.0);
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(seen[i].first / seen[i].second == Approx(expected[i] / 41).epsilon(1e-12));
}

// A step of 1/1024 by every node in every round but the first.
TEST_CASE("push-sum keeps the sum of what is pushed, and of weights", "[exchange]") {
  for (std::uint64_t const count : {1, 2, 5, 40}) {
    double sum = 0, weights = 0;
    for (auto const &[pushed, model] : after(count, 0x1p-10)) {
      sum += pushed;
      weights += pushed / model;
    }
    double const steps = 7 * static_cast<double>(count - 1);
    CHECK(sum == Approx(7 * mean_start() - steps * 0x1p-10).margin(1e-13));
    CHECK(weights == Approx(7).margin(1e-13));
  }
}

TEST_CASE("push-sum with doubly stochastic weights is D-PSGD that adapts, then combines",
          "[exchange]") {
  exponential const network{.nodes = 8};
  auto const pushed = settled(network, push_sum<one_peer>{}, 30);
  auto const mixed = settled(
      network, d_psgd<some_weights>{.order = mixing_order::adapt_then_combine, .rule = one_peer{}},
      30);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(pushed.rows[i][0] == Approx(mixed.rows[i][0]).margin(1e-14));
}

TEST_CASE("push-sum sends one model to each that a node reaches", "[exchange]") {
  small_network network{ring_with_chords{}, scattered<3>{}, sgd{.rate = 1.0}, push_sum<>{}};
  auto const run = watched(network, {.stop = rounds{4}}, at_the_end);
  CHECK(run.report.bytes_sent == 4 * 9 * (3 * 8));
}

TEST_CASE("push-sum refuses weights that lose a part of what is sent", "[exchange]") {
  CHECK_THROWS_WITH(push_sum<uniform_neighbor>{}.check(star{4}.build()),
                    "push_sum: expected weights whose columns sum to 1, such as equal_shares, got "
                    "the sum 1.75 of column 0");
  CHECK_NOTHROW(push_sum<>{}.check(star{4}.build()));
}
