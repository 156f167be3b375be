// Schedule of observers.
#include <gossip/observer/every.hpp>

#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/simulator/any_exchange.hpp>

#include <cmath>
#include <vector>

#include "thresholds.hpp"

using namespace gossip::test;
using gossip::execution;
using gossip::record;

namespace {

struct note {
  std::vector<record> *records;
  void take(record const &r) { records->push_back(r); }
};

}  // namespace

TEST_CASE("a period must be above 0", "[observer]") {
  CHECK_THROWS_WITH(gossip::every(gossip::rounds{0}, note{nullptr}),
                    "every: expected a period above 0, got 0 or less");
  CHECK_THROWS_AS(gossip::every(gossip::epochs{-1}, note{nullptr}), gossip::input_error);
  CHECK_THROWS_AS(gossip::every(gossip::epochs{0.0 / 0.0}, note{nullptr}), gossip::input_error);
}

TEST_CASE("groups of observers look at their own times, sinks outside at all", "[observer]") {
  gossip::simulator network{gossip::ring{2}, threshold{}, gossip::sgd{.rate = 1.0}, gossip::none{}};
  std::vector<record> all, second;
  network.run({.batch = 5, .stop = gossip::rounds{10}}, gossip::split(hundred(), gossip::iid{}),
              note{&all}, gossip::every(gossip::rounds{4}, gossip::consensus_distance{}),
              gossip::every(gossip::epochs{0.5}, note{&second}));  // five rounds of 2 x 5 samples
  std::vector<std::uint64_t> rounds;
  std::vector<bool> measured;
  for (record const &r : all) {
    rounds.push_back(r.mark.round);
    measured.push_back(r.consensus_distance.has_value());
  }
  CHECK(rounds == std::vector<std::uint64_t>{0, 4, 5, 8, 10});
  CHECK(measured == std::vector<bool>{true, true, false, true, true});
  REQUIRE(second.size() == 3);
  CHECK(second[0].mark.round == 0);
  CHECK(second[1].mark.round == 5);
  CHECK(second[1].mark.epoch == Approx(0.5));
  CHECK(second[2].last);
}

TEST_CASE("a run is observed before anything is trained, and once at its end", "[observer]") {
  // Three epochs of 33.3 node-iterations are over at 34, 67 and 100, and 15 rounds of seven nodes
  // at 105.
  auto const seen_with = [](gossip::any_exchange const &exchange, execution engine) {
    gossip::simulator network{gossip::ring{7}, threshold{}, gossip::sgd{.rate = 1.0}, exchange,
                              gossip::with_reference{}};
    std::vector<record> seen;
    network.run({.batch = 3, .stop = gossip::epochs{3}, .engine = engine},
                gossip::split(hundred(), gossip::iid{}),
                gossip::every(gossip::epochs{1}, gossip::accuracy{hundred()},
                              gossip::consensus_distance{}, note{&seen}));
    return seen;
  };
  for (auto const engine : {execution::levelled, execution::reference}) {
    auto const rounds = seen_with(gossip::d_psgd<>{}, engine);
    auto const events = seen_with(gossip::ad_psgd{}, engine);
    REQUIRE(rounds.size() == 4);
    REQUIRE(events.size() == 4);
    for (auto const *const seen : {&rounds, &events}) {
      record const &start = seen->front();
      CHECK(start.mark.epoch == 0);
      CHECK(start.mark.bytes_sent == 0);
      CHECK(start.mark.time.count() == 0);
      CHECK(std::isnan(start.loss));
      CHECK(start.accuracy.has_value());
      CHECK(start.consensus_distance == 0.0);  // all begin with one model
      CHECK_FALSE(start.last);
      CHECK(seen->back().last);
      CHECK(seen->back().mark.node_iterations == 105);
    }
    CHECK(events[2].mark.node_iterations == 67);
  }
}

TEST_CASE("observing at the start moves no digest", "[observer]") {
  auto const digest = [](auto... observers) {
    gossip::simulator network{gossip::ring{7}, threshold{}, gossip::sgd{.rate = 1.0},
                              gossip::ad_psgd{}};
    return network
        .run({.batch = 3, .stop = gossip::epochs{3}}, gossip::split(hundred(), gossip::iid{}),
             observers...)
        .digest;
  };
  CHECK(digest() == digest(gossip::every(gossip::epochs{1}, gossip::accuracy{hundred()})));
}

TEST_CASE("the loss is the mean of the trainings since the last observation", "[observer]") {
  // The loss of node i is i, always.
  std::vector<record> all;
  threshold_run(5, execution::levelled, note{&all});
  REQUIRE(all.size() == 1);
  CHECK(all[0].loss == 2.0);
  CHECK(all[0].last);
}
