// RelaySGD: the laws, the common minimum on a chain, and how fast news travel.
#include <gossip/exchange/relay_sgd.hpp>

#include <map>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::node;
using gossip::relay_sgd;

TEST_CASE("relay sgd keeps the laws of exchanges", "[exchange]") {
  check_exchange(relay_sgd{}, {.keeps_mean = false});
}

TEST_CASE("relay sgd keeps the laws of exchanges where messages are lost", "[exchange]") {
  check_with_loss(relay_sgd{}, {.keeps_mean = false});
}

TEST_CASE("relay sgd keeps the laws of exchanges where nodes are absent or down", "[exchange]") {
  check_with_absence(relay_sgd{}, {.keeps_mean = false});
  check_with_outages(relay_sgd{}, {.keeps_mean = false});
}

// A node takes h_i for models that it has not heard of, and passes on what it has.
TEST_CASE("relay sgd goes on with the sums that arrive", "[exchange]") {
  struct sum {
    double value;
    int models;
  };
  gossip::link_losses fates({.share = 0.3}, 5);
  std::vector<double> x = scattered_starts(5);
  std::vector<std::map<node, sum>> heard(5);  // by sender
  for (std::uint64_t k = 1; k <= 12; ++k) {
    std::vector<std::map<node, sum>> arrived(5);
    for (node i = 0; i < 5; ++i)
      for (node const j : {i - 1, i + 1}) {
        if (j > 4) continue;
        sum sent{x[i], 1};
        for (auto const &[from, what] : heard[i]) {
          if (from == j) continue;
          sent.value += what.value;
          sent.models += what.models;
        }
        if (!fates.loses(i, j)) arrived[j][i] = sent;
      }
    heard = arrived;
    for (node i = 0; i < 5; ++i) {
      double mean = 5 * x[i];
      for (auto const &[from, what] : heard[i]) mean += what.value - what.models * x[i];
      x[i] = mean / 5;
    }
    auto const found = scattered_with_loss(0.3, path{5}, relay_sgd{}, k);
    for (node i = 0; i < 5; ++i) CHECK(found[i] == Approx(x[i]).margin(1e-13));
  }
}

// f_i = (x - b_i)^2 / 2: all nodes end at the mean of b, whatever the chain's delays.
TEST_CASE("relay sgd ends at the minimum of the sum on a chain of five", "[exchange]") {
  gossip::quadratic<1> const valleys{.curvature = {1.0}, .optimum = {3, -1, 4, -2, 9}};
  small_network network{path{5}, valleys, gossip::sgd{.rate = 0.05}, relay_sgd{}};
  auto const found = watched(network, {.stop = gossip::rounds{3000}}, at_the_end).seen.back();
  for (auto const &row : found.rows) CHECK(row[0] == Approx(13.0 / 5).margin(1e-12));
}

// Nobody moves but by the first gradient; a chain of four has heard of all after three rounds:
// each node then has the mean of all.
TEST_CASE("the models of a chain's ends meet after as many rounds as it is long", "[exchange]") {
  small_network network{path{4}, scattered<1>{}, gossip::sgd{.rate = 1.0}, relay_sgd{}};
  auto const run = watched(network, {.seed = 5, .stop = gossip::rounds{5}}, 1.0);
  std::vector<double> x, h(4);
  for (node i = 0; i < 4; ++i) h[i] = scattered<1>::point(5, i, 0);
  // Round 1: sums of direct neighbours, the rest of one's own.
  x = {(3 * h[0] + h[1]) / 4, (h[0] + 2 * h[1] + h[2]) / 4, (h[1] + 2 * h[2] + h[3]) / 4,
       (h[2] + 3 * h[3]) / 4};
  for (node i = 0; i < 4; ++i) CHECK(run.seen[0].rows[i][0] == Approx(x[i]).margin(1e-15));
  // Round 2: what comes from two steps away is of round 1.
  std::vector<double> const y{(2 * x[0] + x[1] + h[2]) / 4, (x[0] + x[1] + x[2] + h[3]) / 4,
                              (h[0] + x[1] + x[2] + x[3]) / 4, (h[1] + x[2] + 2 * x[3]) / 4};
  for (node i = 0; i < 4; ++i) CHECK(run.seen[1].rows[i][0] == Approx(y[i]).margin(1e-15));
  // Six messages a round, of 8 bytes.
  CHECK(run.report.bytes_sent == 5 * 6 * 8);
}
