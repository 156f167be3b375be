// Federated averaging: the laws, its fixed points, sampled clients, fresh optimizers.
#include <gossip/exchange/fed_avg.hpp>

#include <gossip/topology/ring.hpp>

#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::fed_avg;
using gossip::ring;
using gossip::rounds;
using gossip::sgd;

namespace {

template <class Optimizer>
watched_run federated(fed_avg const &exchange, Optimizer const &optimizer, std::uint64_t stop) {
  small_network network{ring{8}, alternating_valleys(), optimizer, exchange};
  return watched(network, {.stop = rounds{stop}}, at_the_end);
}

}  // namespace

TEST_CASE("federated averaging keeps the laws of exchanges", "[exchange]") {
  check_exchange(fed_avg{.local_steps = 2});
}

TEST_CASE("federated averaging keeps the laws of exchanges where messages are lost", "[exchange]") {
  check_with_loss(fed_avg{.local_steps = 2}, {.keeps_mean = false});
  check_with_loss(fed_avg{}, {}, gossip::after_loss::send_again);
}

TEST_CASE("federated averaging keeps the laws of exchanges where nodes are absent or down",
          "[exchange]") {
  check_with_absence(fed_avg{.local_steps = 2}, {.keeps_mean = false});
  check_with_outages(fed_avg{.local_steps = 2}, {.keeps_mean = false});
  check_kind(fed_avg{.local_steps = 2}, {.participation = spells});
}

// Clients whose model is lost on its way down, or up again, do not count.
TEST_CASE("federated averaging takes the mean of the clients whose models arrive", "[exchange]") {
  gossip::message_loss const loss{.share = 0.3, .then = gossip::after_loss::go_on};
  auto const valleys = alternating_valleys();
  for (std::uint64_t const stop : {1, 2, 3, 10}) {
    gossip::link_losses fates(loss, 1);
    double x = 0;
    for (std::uint64_t trained = 0; trained < 8 * stop;) {
      double sum = 0, count = 0;
      std::vector<double> after(8, x);
      std::vector<bool> reached(8);
      for (gossip::node i = 0; i < 8; ++i) {
        reached[i] = !fates.loses(8, i);
        if (!reached[i]) continue;
        after[i] -= 0.1 * valleys.curvature[i] * (x - valleys.optimum[i]);
        ++trained;
      }
      for (gossip::node i = 0; i < 8; ++i) {
        if (!reached[i] || fates.loses(i, 8)) continue;
        sum += after[i];
        ++count;
      }
      if (count > 0) x = sum / count;
    }
    auto network = on_clock(gossip::virtual_clock<gossip::constant_time>{.loss = loss}, ring{8},
                            valleys, 0.1, fed_avg{});
    auto const end = watched(network, {.stop = rounds{stop}}, at_the_end).seen.back();
    CHECK(end.rows[0][0] == Approx(x).margin(1e-14));
  }
}

// With full gradients sum_k (1 - (1 - rate a_k)^H) (x - b_k) = 0: the minimum of the sum for H = 1.
TEST_CASE("federated averaging settles where its local steps cancel", "[exchange]") {
  auto const one = federated({.local_steps = 1}, sgd{.rate = 0.1}, 400).seen.back();
  REQUIRE(one.rows.size() == 1);  // the server's
  CHECK(one.rows[0][0] == Approx(-0.8).margin(1e-12));
  auto const five = federated({.local_steps = 5}, sgd{.rate = 0.1}, 2000).seen.back();
  double above = 0, below = 0;
  auto const valleys = alternating_valleys();
  for (std::size_t k = 0; k < 8; ++k) {
    double const weight = 1 - std::pow(1 - 0.1 * valleys.curvature[k], 5);
    above += weight * valleys.optimum[k];
    below += weight;
  }
  CHECK(five.rows[0][0] == Approx(above / below).margin(1e-12));
  CHECK(five.rows[0][0] == Approx(-0.673851).margin(5e-7));
}

// Of three local steps of eight clients 4 rounds of the stop are one round and a third.
TEST_CASE("the last round of federated averaging is whole", "[exchange]") {
  fed_avg const three{.local_steps = 3};
  auto const cut = federated(three, sgd{.rate = 0.1}, 4),
             whole = federated(three, sgd{.rate = 0.1}, 6);
  CHECK(cut.report.node_iterations == 48);
  CHECK(cut.report.digest == whole.report.digest);
}

TEST_CASE("clients begin with a fresh optimizer: momentum of one local step is none",
          "[exchange]") {
  fed_avg const exchange{.clients = 3, .local_steps = 1};
  auto const plain = federated(exchange, sgd{.rate = 0.1}, 30);
  auto const heavy = federated(exchange, sgd{.rate = 0.1, .momentum = 0.9}, 30);
  CHECK(plain.seen.back().rows == heavy.seen.back().rows);
  auto const two = federated({.clients = 3, .local_steps = 2}, sgd{.rate = 0.1}, 30);
  auto const kept =
      federated({.clients = 3, .local_steps = 2}, sgd{.rate = 0.1, .momentum = 0.9}, 30);
  CHECK(two.seen.back().rows != kept.seen.back().rows);
}

// 80 trainings of three clients a round are 27 rounds, the last of them whole; a model down and one
// up for each.
TEST_CASE("federated averaging counts what its clients receive and send", "[exchange]") {
  auto const run = federated({.clients = 3, .local_steps = 1}, sgd{.rate = 0.1}, 10);
  CHECK(run.report.node_iterations == 81);
  CHECK(run.report.bytes_sent == 27 * 6 * sizeof(double));
}

TEST_CASE("federated averaging of clients without rows of their own keeps the laws", "[exchange]") {
  check_exchange(fed_avg{.local_steps = 2, .population = 40}, {.keeps_mean = false});
}

TEST_CASE("clients with a share of the data each are nodes where all of them are at work",
          "[exchange]") {
  auto const nodes = federated({.local_steps = 3}, sgd{.rate = 0.1, .momentum = 0.9}, 30);
  auto const shares =
      federated({.local_steps = 3, .population = 8}, sgd{.rate = 0.1, .momentum = 0.9}, 30);
  CHECK(nodes.seen.back().rows == shares.seen.back().rows);
  CHECK(nodes.report.digest == shares.report.digest);
}

// Client k has the valley k mod 8; three of 800 a round, so the mean over rounds is near the
// minimum of the sum, whose curvature is 1.875: at a small rate the server stays close to -0.8.
TEST_CASE("a few of many clients settle where all of them would", "[exchange]") {
  auto const at = federated({.clients = 3, .population = 800}, sgd{.rate = 0.002}, 8000);
  CHECK(at.seen.back().rows[0][0] == Approx(-0.8).margin(0.5));
}

TEST_CASE("a population has rows for those at work only", "[exchange]") {
  small_network network{ring{10}, alternating_valleys(), sgd{.rate = 0.1},
                        fed_avg{.clients = 10, .population = 1'000'000}};
  auto const run = watched(network, {.stop = rounds{50}}, at_the_end);
  CHECK(run.report.announced.rows <= 11 * 4096);
  CHECK(run.report.node_iterations == 500);
}

TEST_CASE("the only client of a population trains on its share", "[exchange]") {
  small_network network{ring{1}, alternating_valleys(), sgd{.rate = 0.1}, fed_avg{.population = 1}};
  CHECK(watched(network, {.stop = rounds{3}}, at_the_end).report.node_iterations == 3);
}

TEST_CASE("federated averaging refuses more clients than nodes", "[exchange]") {
  CHECK_THROWS_WITH(federated({.clients = 9}, sgd{.rate = 0.1}, 1),
                    contains("at most 8, all nodes, got 9"));
}
