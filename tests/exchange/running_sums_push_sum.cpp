// Push-sum with running sums: the laws, the mean where messages are lost, and a plain loop.
#include <gossip/exchange/running_sums_push_sum.hpp>

#include <gossip/clock/message_loss.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/exponential.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "conformance.hpp"
#include "networks.hpp"

using gossip::node;
using gossip::running_sums_push_sum;
using namespace gossip::test;

namespace {

/// The plain loop on the ring with chords, x_i / w_i after so many rounds, with the fates that the
/// run has. Sums of senders run on, or what is lost is forgotten.
std::vector<double> by_plain_loop(double lost, std::uint64_t rounds, bool forgets) {
  constexpr std::size_t n = 7;
  struct pair {
    double x, w;
  };
  gossip::graph const g = ring_with_chords{}.build(0);
  gossip::link_losses fates({.share = lost, .then = gossip::after_loss::go_on}, 5);
  std::vector<pair> own, sums(n, {0, 0});
  std::vector<std::vector<pair>> heard(n, std::vector<pair>(n, {0, 0}));  // of whom, by whom
  for (double const x : scattered_starts(n)) own.push_back({x, 1});
  for (std::uint64_t k = 0; k < rounds; ++k) {
    std::vector<pair> next(n, {0, 0});
    for (node j = 0; j < n; ++j) {
      double const share = 1 / (1.0 + static_cast<double>(g.degree(j)));
      sums[j].x += share * own[j].x;
      sums[j].w += share * own[j].w;
      next[j].x += share * own[j].x;
      next[j].w += share * own[j].w;
      for (node const i : g.neighbors(j)) {
        if (!fates.lost(j, i)) {
          next[i].x += forgets ? share * own[j].x : sums[j].x - heard[j][i].x;
          next[i].w += forgets ? share * own[j].w : sums[j].w - heard[j][i].w;
          heard[j][i] = sums[j];
        }
      }
    }
    own = next;
  }
  std::vector<double> x;
  for (auto const &[total, weight] : own) x.push_back(total / weight);
  return x;
}

double mean_of(std::vector<double> const &x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("push-sum with running sums keeps the laws of exchanges", "[exchange]") {
  check_exchange(running_sums_push_sum<>{}, {.keeps_mean = false});
}

TEST_CASE("push-sum with running sums keeps the laws where messages are lost, nodes absent or down",
          "[exchange]") {
  check_with_loss(running_sums_push_sum<>{}, {.keeps_mean = false});
  check_with_absence(running_sums_push_sum<>{}, {.keeps_mean = false});
  // What is on its way to a node that is down leaves little weight with its neighbours, in which
  // their drift counts for more.
  check_with_outages(running_sums_push_sum<>{}, {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("push-sum with running sums finds the mean though senders know of no loss",
          "[exchange]") {
  double const mean = mean_of(scattered_starts(7));
  for (double const lost : {0.3, 0.7})
    for (double const x :
         scattered_with_loss(lost, ring_with_chords{}, running_sums_push_sum<>{}, 3000))
      CHECK(x == Approx(mean).margin(1e-10));
  // Shares that are forgotten leave nodes that agree on something else.
  for (double const x : by_plain_loop(0.3, 3000, true)) CHECK(std::abs(x - mean) > 0.01);
}

TEST_CASE("push-sum with running sums finds the mean though nodes go down", "[exchange]") {
  using std::chrono::milliseconds;
  for (auto const then : {gossip::after_outage::go_on, gossip::after_outage::time_out}) {
    gossip::virtual_clock<gossip::constant_time> const clock{
        .outages = {.churn = {.up = milliseconds(80), .down = milliseconds(30)},
                    .then = then,
                    .timeout = milliseconds(5)},
        .loss = {.share = 0.1, .then = gossip::after_loss::go_on}};
    auto network =
        on_clock(clock, ring_with_chords{}, scattered<1>{}, 1.0, running_sums_push_sum<>{});
    auto const seen = watched(network, {.seed = 5, .stop = gossip::rounds{2000}}, at_the_end).seen;
    for (auto const &row : seen.back().rows)
      CHECK(row[0] == Approx(mean_of(scattered_starts(7))).margin(1e-10));
  }
}

TEST_CASE("push-sum with running sums is a plain loop with the same fates", "[exchange]") {
  for (double const lost : {0.3, 0.7})
    for (std::uint64_t const rounds : {1, 2, 5, 40}) {
      auto const expected = by_plain_loop(lost, rounds, false);
      auto const found =
          scattered_with_loss(lost, ring_with_chords{}, running_sums_push_sum<>{}, rounds);
      for (std::size_t i = 0; i < 7; ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-13));
    }
}

TEST_CASE("push-sum with running sums is push-sum where no message is lost", "[exchange]") {
  auto const usual = settled(ring_with_chords{}, gossip::push_sum<>{}, 60);
  auto const sums = settled(ring_with_chords{}, running_sums_push_sum<>{}, 60);
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(sums.rows[i][0] == Approx(usual.rows[i][0]).epsilon(1e-12));
}

// What a sum is rounded by stays with its sender, so that it moves no mean.
TEST_CASE("running sums of single precision keep the mean", "[exchange]") {
  small_simulator network{ring_with_chords{},       scattered<1>{},
                          gossip::sgd{.rate = 1.0}, running_sums_push_sum<>{},
                          gossip::numbers<float>{}, gossip::cpu{.threads = 1}};
  auto const seen = watched(network, {.seed = 5, .stop = gossip::rounds{1000}}, at_the_end).seen;
  for (auto const &row : seen.back().rows)
    CHECK(row[0] == Approx(mean_of(scattered_starts(7))).margin(1e-4));
}

TEST_CASE("running sums travel once to each that a node reaches, and arrive or not", "[exchange]") {
  for (double const lost : {0.0, 0.5}) {
    gossip::virtual_clock<gossip::constant_time> const clock{
        .loss = {.share = lost, .then = gossip::after_loss::go_on}};
    auto network =
        on_clock(clock, ring_with_chords{}, scattered<3>{}, 1.0, running_sums_push_sum<>{});
    auto const run = watched(network, {.stop = gossip::rounds{4}}, at_the_end);
    CHECK(run.report.bytes_sent == 4 * 9 * (3 * 8));
  }
}

TEST_CASE("push-sum with running sums refuses shares that change", "[exchange]") {
  CHECK_THROWS_WITH(running_sums_push_sum<gossip::one_peer>{}.check(gossip::exponential{8}.build()),
                    "running_sums_push_sum: expected one matrix of shares for all rounds, got 3");
  CHECK_THROWS_WITH(running_sums_push_sum<gossip::one_peer>{}.check(gossip::exponential{4}.build()),
                    "running_sums_push_sum: expected one matrix of shares for all rounds, got 2");
}
