// DivShare: the laws, who hears whose fragments, means of all by a plain loop, and what is heard
// twice.
#include <gossip/exchange/div_share.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fitting.hpp"
#include "heard_nodes.hpp"
#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::div_share;
using sharing_clock = gossip::virtual_clock<gossip::constant_time>;

namespace {

template <class Model>
watched_run sharing_run(std::size_t nodes, Model const &model, double rate,
                        div_share const &exchange, std::uint64_t count, double period,
                        sharing_clock const &clock = {}) {
  auto network = on_clock(clock, gossip::ring{nodes}, model, rate, some_exchange{exchange});
  return watched(network, {.seed = 5, .stop = gossip::rounds{count}}, period);
}

}  // namespace

TEST_CASE("DivShare keeps the laws of exchanges", "[exchange]") {
  check_exchange(fitting_div_share{{.fragments = 3, .peers = 2}}, {.keeps_mean = false});
  check_exchange(fitting_div_share{{.fragments = 2, .peers = 9, .local_steps = 2}},
                 {.keeps_mean = false, .reaches_mean = false});
}

// All train at once and hear what was sent at the end of the last training. In the first, nodes
// come apart; twelve columns in four fragments of three, in each of which node i has the mean of
// its model and of older ones, which are the same as long as nobody has moved.
TEST_CASE("DivShare sends each fragment to peers of its own", "[exchange]") {
  constexpr std::size_t n = 9, fragments = 4, peers = 2;
  auto const seen = sharing_run(n, scattered<12>{}, 1.0, {fragments, peers}, 2, 1.0).seen;
  REQUIRE(seen.size() == 2);
  check_graphs_of_fragments(seen[0].rows, seen[1].rows, peers, 3);
}

TEST_CASE("DivShare with all for peers is the mean of a model and older ones", "[exchange]") {
  auto const valleys = alternating_valleys();
  for (std::uint64_t const count : {1, 2, 3, 10, 57}) {
    std::vector<double> x(8, 0.0), sent(8);
    for (std::uint64_t k = 0; k < count; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < 8; ++i) sum += sent[i];
      auto const older = sent;
      for (std::size_t i = 0; i < 8; ++i) {
        sent[i] = x[i] - 0.1 * valleys.curvature[i] * (x[i] - valleys.optimum[i]);
        x[i] = k == 0 ? sent[i] : (sent[i] + sum - older[i]) / 8;
      }
    }
    auto const found =
        sharing_run(8, valleys, 0.1, {.fragments = 1, .peers = 7}, count, at_the_end);
    for (std::size_t i = 0; i < 8; ++i)
      CHECK(found.seen.back().rows[i][0] == Approx(x[i]).epsilon(1e-12));
  }
}

// Node 0 has trained at 10, 20 and 30 ms, node 1 at 25 ms, when it has heard node 0 twice.
TEST_CASE("of what DivShare hears twice of a node, the later counts", "[exchange]") {
  sharing_clock const clock{.slow = {{.which = 1, .factor = 2.5}}};
  auto const found = sharing_run(2, scattered<1>{.drift = 1.0}, 1.0, {.fragments = 1, .peers = 1},
                                 2, at_the_end, clock);
  double const first = scattered<1>::point(5, 0, 0), second = scattered<1>::point(5, 1, 0);
  CHECK(found.seen.back().rows[0][0] == Approx((first - 2 + second) / 2));
  CHECK(found.seen.back().rows[1][0] == Approx((second + first - 1) / 2));
}

TEST_CASE("DivShare sends a model to as many as it has peers, whatever its fragments",
          "[exchange]") {
  for (std::size_t const fragments : {1, 2, 4, 8}) {
    auto const run = sharing_run(6, scattered<8>{}, 1.0, {fragments, 3}, 4, at_the_end);
    CHECK(run.report.bytes_sent == 4 * 6 * 3 * (8 * 8));
    CHECK(run.report.virtual_seconds == Approx(0.04));
  }
}

TEST_CASE("DivShare refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(gossip::ring{8}, div_share{.fragments = 0}, 1),
                    contains("div_share: fragments: expected a whole number of at least 1"));
  CHECK_THROWS_WITH(settled(gossip::ring{8}, div_share{.peers = 0}, 1),
                    contains("div_share: peers: expected a whole number of at least 1"));
  CHECK_THROWS_WITH(settled(gossip::ring{8}, div_share{.peers = 8}, 1),
                    contains("div_share: peers: expected at most the number of other nodes, 7"));
  CHECK_THROWS_WITH(settled(gossip::ring{8}, div_share{.fragments = 2}, 1),
                    contains("div_share: fragments: expected at most the number of columns of "
                             "the model, 1, got 2"));
  CHECK_THROWS_WITH(settled(gossip::ring{8}, div_share{.local_steps = 0}, 1),
                    contains("div_share: local_steps: expected a whole number of at least 1"));
}
