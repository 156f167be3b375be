// When observers are due.
#include <gossip/observer/every.hpp>

#include <gossip/observer/consensus_distance.hpp>

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
  CHECK(rounds == std::vector<std::uint64_t>{4, 5, 8, 10});
  CHECK(measured == std::vector<bool>{true, false, true, true});
  REQUIRE(second.size() == 2);
  CHECK(second[0].mark.round == 5);
  CHECK(second[0].mark.epoch == Approx(0.5));
  CHECK(second[1].last);
}

TEST_CASE("the loss is the mean of the trainings since the last observation", "[observer]") {
  // The loss of node i is i, always.
  std::vector<record> all;
  threshold_run(5, execution::levelled, note{&all});
  REQUIRE(all.size() == 1);
  CHECK(all[0].loss == 2.0);
  CHECK(all[0].last);
}
