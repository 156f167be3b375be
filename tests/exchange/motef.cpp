// MoTEF and BEER: the laws, the common minimum through a codec, and the mean of trackers.
#include <gossip/exchange/motef.hpp>

#include <gossip/codec/cast.hpp>
#include <gossip/exchange/beer.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::beer;
using gossip::motef;
using gossip::ring;

namespace {

/// What run(network) makes of the alternating valleys in six columns at rate 0.02.
template <class Run>
auto on_valleys(some_exchange const &exchange, Run run) {
  auto const one = alternating_valleys();
  gossip::quadratic<6> const model{.curvature = one.curvature, .optimum = one.optimum};
  small_simulator network{ring{8},
                          model,
                          gossip::sgd{.rate = 0.02},
                          exchange,
                          gossip::numbers<double>{},
                          gossip::cpu{.threads = 1}};
  return run(network);
}

watched_run run_of(some_exchange const &exchange, std::uint64_t count) {
  return on_valleys(exchange, [&](auto &network) {
    return watched(network, {.stop = gossip::rounds{count}}, at_the_end);
  });
}

/// Trackers V and means M of the nodes, whose slots are those behind the model.
auto trackers(some_exchange const &exchange, std::uint64_t count) {
  return on_valleys(exchange, [&](auto &network) {
    std::vector<std::pair<double, double>> seen;
    network.run({.stop = gossip::rounds{count}},
                gossip::every(gossip::rounds{1}, row_pairs_at_end{&seen, 1, 2}));
    return seen;
  });
}

}  // namespace

// What messages leave out makes nodes agree too slowly for law 5.
TEST_CASE("BEER keeps the laws of exchanges", "[exchange]") {
  check_exchange(beer<>{.code = {.share = 0.4}, .share = 0.2}, {.reaches_mean = false});
}

TEST_CASE("MoTEF keeps the laws of exchanges", "[exchange]") {
  check_exchange(motef<gossip::codec::cast<gossip::bf16>>{.share = 0.3},
                 {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("BEER and MoTEF end at the minimum of the sum, of which CHOCO-SGD stays away",
          "[exchange]") {
  auto const away = [](some_exchange const &exchange) {
    double most = 0;
    auto const found = run_of(exchange, 8000);
    for (auto const &row : found.seen.back().rows)
      for (double const x : row) most = std::max(most, std::abs(x + 0.8));
    return most;
  };
  gossip::codec::top_k const third{.share = 0.34};
  CHECK(away(beer<>{third, 0.2}) < 1e-10);
  CHECK(away(motef<>{third, 0.2, 0.8}) < 1e-10);
  CHECK(away(gossip::choco_sgd<>{third, 0.2}) > 0.1);
}

TEST_CASE("the mean of trackers is that of what they track", "[exchange]") {
  for (std::uint64_t const count : {1, 2, 7, 40}) {
    motef<> const exchange{{.share = 0.34}, 0.2, 0.8};
    double trackers_sum = 0, means_sum = 0, apart = 0;
    for (auto const &[v, m] : trackers(exchange, count)) {
      trackers_sum += v;
      means_sum += m;
      apart += std::abs(v - m);
    }
    CHECK(trackers_sum == Approx(means_sum).margin(1e-12));
    CHECK(std::abs(means_sum) > 0.1);
    if (count > 2) CHECK(apart > 0.1);
  }
}

TEST_CASE("MoTEF without momentum is BEER", "[exchange]") {
  gossip::codec::top_k const third{.share = 0.34};
  CHECK(run_of(motef<>{third, 0.2, 0}, 60).seen.back().rows ==
        run_of(beer<>{third, 0.2}, 60).seen.back().rows);
}

// A third of six columns is two numbers and their columns, to two neighbors; in the first round
// models alone.
TEST_CASE("BEER sends two encoded messages", "[exchange]") {
  CHECK(run_of(beer<>{{.share = 0.34}}, 5).report.bytes_sent == (2 * 5 - 1) * 8 * 2 * 2 * (8 + 4));
}

TEST_CASE("MoTEF refuses hyper-parameters out of range", "[exchange]") {
  auto const g = ring{8}.build();
  CHECK_THROWS_WITH((check_on(motef<>{.share = 0}, g)),
                    contains("motef: share: expected a number above 0"));
  CHECK_THROWS_WITH((check_on(motef<>{.momentum = 1}, g)), contains("motef: momentum"));
  CHECK_THROWS_WITH((check_on(beer<>{.share = 2}, g)),
                    contains("beer: share: expected a number above 0"));
}
