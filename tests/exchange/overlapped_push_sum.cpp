// Push-sum with overlap: the laws, sums with what is on its way, the mean on a directed graph, and
// push-sum without overlap.
#include <gossip/exchange/overlapped_push_sum.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/link.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/one_peer_exponential.hpp>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

using overlapped = overlapped_push_sum<>;

overlapped delayed(std::uint64_t delay, std::uint64_t rounds_apart = 1) {
  return {{}, delay, rounds_apart};
}

/// x and z of every node after so many rounds, of which the first alone moves them.
std::vector<std::pair<double, double>> overlapped_after(std::uint64_t count,
                                                        overlapped const &exchange,
                                                        double drift = 0.0) {
  small_network const network{ring_with_chords{}, scattered<1>{.drift = drift}, sgd{.rate = 1.0},
                              exchange};
  return network.row_pairs({.seed = 5, .stop = rounds{count}}, 2, 0);
}

/// The sums of x and of w.
std::pair<double, double> overlapped_sums(std::vector<std::pair<double, double>> const &seen) {
  std::pair<double, double> sum{0, 0};
  for (auto const &[x, z] : seen) sum.first += x, sum.second += x / z;
  return sum;
}

double overlapped_starts() {
  double sum = 0;
  for (node i = 0; i < 7; ++i) sum += scattered<1>::point(5, i, 0);
  return sum;
}

}  // namespace

TEST_CASE("push-sum with overlap keeps the laws of exchanges", "[exchange]") {
  check_exchange(delayed(1), {.keeps_mean = false});
  check_exchange(delayed(2, 2), {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("push-sum with overlap finds the mean on a directed graph whose degrees differ",
          "[exchange]") {
  for (std::uint64_t const delay : {0, 1, 3})
    for (auto const &[x, z] : overlapped_after(600, delayed(delay)))
      CHECK(z == Approx(overlapped_starts() / 7).margin(1e-13));
  for (auto const &[x, z] : overlapped_after(1200, delayed(3, 3)))
    CHECK(z == Approx(overlapped_starts() / 7).margin(1e-13));
}

// One message of all nodes, in the first round: shares that they keep sum to 5/2 + 2/3, since two
// have two receivers, until the rest arrives four rounds later.
TEST_CASE("sums of push-sum with overlap stay, with what is on its way", "[exchange]") {
  overlapped const once = delayed(4, 1000);
  double kept = 0;
  for (node i = 0; i < 7; ++i) kept += scattered<1>::point(5, i, 0) / (i == 0 || i == 2 ? 3 : 2);
  for (std::uint64_t const count : {1, 2, 4}) {
    auto const [x, w] = overlapped_sums(overlapped_after(count, once));
    CHECK(w == Approx(5 / 2.0 + 2 / 3.0).epsilon(1e-14));
    CHECK(x == Approx(kept).margin(1e-13));
  }
  for (std::uint64_t const count : {5, 6, 40}) {
    auto const [x, w] = overlapped_sums(overlapped_after(count, once));
    CHECK(w == Approx(7).epsilon(1e-14));
    CHECK(x == Approx(overlapped_starts()).margin(1e-13));
  }
}

// With steps of 1/1024: two messages are on their way behind every round, of which x and w of the
// nodes lack what senders did not keep, by a plain loop over both sums.
TEST_CASE("push-sum with overlap is a plain loop over what nodes hold and what is on its way",
          "[exchange]") {
  ring_with_chords const network;
  mixing_matrix const p = equal_shares{}.weights(network.build(0));
  std::vector<double> x(7), w(7, 1.0);
  std::vector<std::vector<std::pair<double, double>>> sent;
  for (std::uint64_t k = 0; k < 12; ++k) {
    std::vector<std::pair<double, double>> leaves;
    for (node i = 0; i < 7; ++i) {
      x[i] -= k == 0 ? -scattered<1>::point(5, i, 0) : 0x1p-10;
      leaves.push_back({x[i], w[i]});
      x[i] *= p.at(i, i);
      w[i] *= p.at(i, i);
    }
    sent.push_back(leaves);
    if (k >= 2)
      for (node j = 0; j < 7; ++j)
        for (node i = 0; i < 7; ++i)
          if (i != j)
            x[j] += p.at(j, i) * sent[k - 2][i].first, w[j] += p.at(j, i) * sent[k - 2][i].second;
    auto const seen = overlapped_after(k + 1, delayed(2), 0x1p-10);
    for (node i = 0; i < 7; ++i) {
      CHECK(seen[i].first == Approx(x[i]).epsilon(1e-13));
      CHECK(seen[i].second == Approx(x[i] / w[i]).epsilon(1e-13));
    }
  }
}

TEST_CASE("push-sum without overlap is push-sum, on networks that change too", "[exchange]") {
  for (auto const &[one, other] :
       {std::pair{some_topology{exponential{.nodes = 8}}, some_topology{exponential{.nodes = 8}}},
        std::pair{some_topology{one_peer_exponential{6}},
                  some_topology{one_peer_exponential{6}}}}) {
    std::size_t const n = one.nodes;
    auto const late = settled(one, delayed(0), 30), at_once = settled(other, push_sum<>{}, 30);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(late.rows[i][0] == Approx(at_once.rows[i][0]).epsilon(1e-13));
  }
}

// A message takes 15 ms, a training 10 ms. With a delay of one round, rounds end after 10, 25, 35,
// 50, ... ms: every other one has to wait, since messages leave when a node has trained.
TEST_CASE("messages of push-sum with overlap travel while nodes train", "[exchange]") {
  virtual_clock<constant_time> const clock{
      .network = {.latency = std::chrono::milliseconds(15), .bandwidth = 1e300}};
  auto const seconds = [&](std::uint64_t delay) {
    small_network network{ring_with_chords{}, scattered<3>{}, sgd{.rate = 1.0}, delayed(delay),
                          clock};
    return watched(network, {.stop = rounds{8}}, at_the_end).report;
  };
  CHECK(seconds(0).virtual_seconds == Approx(8 * 0.025));
  CHECK(seconds(1).virtual_seconds == Approx(0.1));
  CHECK(seconds(2).virtual_seconds == Approx(0.08));
  CHECK(seconds(2).bytes_sent == 8 * 9 * (3 * 8));
}

TEST_CASE("push-sum with overlap refuses no period", "[exchange]") {
  CHECK_THROWS_WITH(check_on(delayed(1, 0), ring_with_chords{}.build(0)),
                    "overlapped_push_sum: period: expected a whole number of at least 1, got 0");
}
