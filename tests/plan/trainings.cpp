// Trainings on the batch of the one before, and trainings that are no node iterations.
#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/topology/ring.hpp>

#include <cstdint>
#include <vector>

#include "plans.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

/// Two gradients a round on one batch, the second of them uncounted.
struct looks_twice {
  static constexpr std::size_t rows = 1;

  void on_round(auto &plan, round_number) const {
    plan.train_all({.into = exchange_row(0)});
    plan.train_all({.at = exchange_row(0), .batch = batch_choice::again, .counts = false});
    plan.step_all();
  }
};

/// The same by event.
struct looks_twice_by_event {
  struct node_state {
    bool second = false;
  };
  static constexpr std::size_t rows = 1;

  void on_start(auto &plan) const { plan.train_all({.into = exchange_row(0)}); }
  void on_trained(auto &plan, node i) const {
    bool &second = plan.state(i).second;
    if ((second = !second)) return plan.train(i, {.batch = batch_choice::again, .counts = false});
    plan.step(i);
    plan.train(i, {.into = exchange_row(0)});
  }
};

struct never_counts {
  static constexpr std::size_t rows = 1;
  void on_round(auto &plan, round_number) const {
    plan.train_all({.into = exchange_row(0), .counts = false});
  }
};

struct begins_again {
  void on_round(auto &plan, round_number) const { plan.train_all({.batch = batch_choice::again}); }
};

struct replicas_twice {
  void on_round(auto &plan, round_number) const {
    plan.train_all({.counts = false});
    plan.reduce_all();
  }
  static constexpr exchange_properties properties() { return {.replicas_identical = true}; }
};

/// The trainings of node 0: batches, and which are uncounted.
std::pair<std::vector<std::uint64_t>, std::vector<bool>> of_node_0(whole_plan const &plan) {
  std::pair<std::vector<std::uint64_t>, std::vector<bool>> found;
  for (operation const &o : plan.stream)
    if (o.kind() == operation_kind::train && o.a == 0) {
      found.first.push_back(o.train().batch);
      found.second.push_back(!o.train().counts);
    }
  return found;
}

template <class Exchange>
void check_twice(Exchange const &exchange) {
  virtual_clock const clock{.compute = constant_time{.mean = virtual_time(1'000'000'000)},
                            .network = instant()};
  auto const plan = whole_plan_of(exchange, ring{3}.build(), clock, rounds_of(3, 4));
  auto const [batches, uncounted] = of_node_0(plan);
  CHECK(batches == std::vector<std::uint64_t>{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(uncounted == std::vector<bool>{false, true, false, true, false, true, false, true});
  CHECK(plan.end.node_iterations == 3 * 4);
  CHECK(plan.end.epoch == 4.0);
  CHECK(plan.end.time == virtual_time(std::int64_t{8'000'000'000}));  // each takes its second
}

}  // namespace

TEST_CASE("a training on the last batch has its number, and an uncounted one is no iteration",
          "[plan]") {
  check_twice(looks_twice{});
  check_twice(looks_twice_by_event{});
}

TEST_CASE("trainings that cannot count or have no batch are refused in a sentence", "[plan]") {
  auto const refused = [](auto const &exchange, std::string const &sentence) {
    CHECK_THROWS_WITH(whole_plan_of(exchange, ring{3}.build(), rounds_of(3, 2)),
                      contains(sentence));
  };
  refused(never_counts{}, "trains no node in round 0");
  refused(begins_again{}, "node 0 trains on its last batch before it has had one");
  refused(replicas_twice{}, "node 0 trains on its last batch or uncounted");
}

TEST_CASE("batches of a share follow each other, whoever trains on it", "[plan]") {
  fed_avg const exchange{.clients = 2, .local_steps = 3, .population = 8};
  auto const plan = whole_plan_of(exchange, ring{4}.build(), rounds_of(4, 60));
  std::vector<std::uint64_t> next(8, 0);
  for (operation const &o : plan.stream)
    if (o.kind() == operation_kind::train) {
      REQUIRE(o.train().names_share);
      CHECK(o.train().batch == next[o.train().share]++);
    }
  for (std::uint64_t const batches : next) CHECK(batches >= 3);
}
