// Decisions: a run that ends when what it measures is good enough, and its replay without values.
#include <gossip/exchange/stop_at.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/topology/ring.hpp>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::consensus_distance;
using gossip::d_psgd;
using gossip::measured;
using gossip::ring;
using gossip::rounds;
using gossip::stop_at;

namespace {

// quote stop
/// D-PSGD until its nodes are so near each other, which it asks every so many rounds.
stop_at<d_psgd<>> until(double bound, std::uint64_t every) {
  return {{}, measured::consensus_distance, bound, every};
}
// end quote

auto network_of(some_exchange const &exchange, gossip::message_loss const &loss = {},
                gossip::outages const &down = {}) {
  return small_simulator{
      ring{8},
      scattered<3>{},
      gossip::sgd{.rate = 1.0},
      exchange,
      gossip::numbers<double>{},
      gossip::cpu{.threads = 1},
      gossip::virtual_clock{.compute = gossip::lognormal_time{}, .outages = down, .loss = loss}};
}

}  // namespace

TEST_CASE("a run ends at the first answer that is good enough", "[exchange]") {
  auto plain = network_of(d_psgd<>{});
  std::vector<snapshot> seen;
  plain.run({.seed = 5, .stop = rounds{60}}, gossip::every(rounds{1}, watch{&seen}));
  std::size_t first = 0;  // even rounds with a distance below the bound
  for (std::size_t k = 2; k <= 60 && first == 0; k += 2)
    if (seen[k - 1].distance() <= 1e-3) first = k;
  REQUIRE(first > 4);
  REQUIRE(first < 60);
  auto stopping = network_of(until(1e-3, 2));
  auto const report = stopping.run({.seed = 5, .stop = rounds{60}}, consensus_distance{});
  CHECK(report.node_iterations == 8 * first);
  CHECK(report.answers.size() == first / 2);
  CHECK(report.answers.back() <= 1e-3);
  CHECK(report.answers[report.answers.size() - 2] > 1e-3);
  CHECK(report.last.last);
  CHECK(*report.last.consensus_distance == report.answers.back());
}

TEST_CASE("a run that is given the answers of another is the same without measuring",
          "[exchange]") {
  auto network = network_of(until(1e-3, 3));
  auto const first = network.run({.seed = 5, .stop = rounds{60}}, consensus_distance{});
  auto const replay = network.run({.seed = 5, .stop = rounds{60}, .answers = first.answers});
  CHECK(gossip::hex(replay.digest) == gossip::hex(first.digest));
  CHECK(replay.node_iterations == first.node_iterations);
  CHECK(replay.answers == first.answers);
  CHECK(first.node_iterations < 60 * 8);
}

TEST_CASE("answers that nobody measures or gives are refused", "[exchange]") {
  auto network = network_of(until(1e-3, 2));
  CHECK_THROWS_WITH(network.run({.stop = rounds{4}}),
                    contains("asks for consensus_distance: expected an observer of the run"));
  CHECK_THROWS_WITH(network.dry_run({.stop = rounds{4}}, {}),
                    contains("asks for consensus_distance, which a plan without a run"));
}

TEST_CASE("decisions do not depend on the engine nor on who else looks", "[exchange]") {
  auto network = network_of(until(1e-3, 2));
  auto const run = [&](gossip::execution engine, std::uint64_t period) {
    std::vector<snapshot> seen;
    return network.run({.seed = 5, .stop = rounds{60}, .engine = engine}, consensus_distance{},
                       gossip::every(rounds{period}, watch{&seen}));
  };
  auto const expected = run(gossip::execution::reference, 100);
  for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
    auto const found = run(engine, 1);
    CHECK(gossip::hex(found.digest) == gossip::hex(expected.digest));
    CHECK(found.answers == expected.answers);
    CHECK(found.node_iterations == expected.node_iterations);
  }
}

TEST_CASE("decisions do not depend on the engine where messages are lost or nodes down",
          "[exchange]") {
  using std::chrono::milliseconds;
  gossip::message_loss const loss{.share = 0.3, .then = gossip::after_loss::go_on};
  gossip::outages const down{.churn = {.up = milliseconds(40), .down = milliseconds(12)},
                             .then = gossip::after_outage::go_on};
  auto const reliable =
      network_of(until(1e-3, 2)).run({.seed = 5, .stop = rounds{200}}, consensus_distance{});
  for (auto const &of : {gossip::outages{}, down}) {
    auto network = network_of(until(1e-3, 2), loss, of);
    auto const expected =
        network.run({.seed = 5, .stop = rounds{200}, .engine = gossip::execution::reference},
                    consensus_distance{});
    auto const found = network.run({.seed = 5, .stop = rounds{200}}, consensus_distance{});
    CHECK(gossip::hex(found.digest) == gossip::hex(expected.digest));
    CHECK(found.answers == expected.answers);
    CHECK(found.answers.back() <= 1e-3);
    CHECK(found.answers.size() > reliable.answers.size());
    CHECK(found.node_iterations < 200 * 8);
  }
}
