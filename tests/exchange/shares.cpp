// Trainings on shares of the data: a node that trains on another share learns what the node of that
// share would have learnt, and a round's clients are drawn evenly.
#include <gossip/clock/constant_time.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "../engine/recording_device.hpp"
#include "../engine/small_network.hpp"
#include "conformance.hpp"
#include "networks.hpp"

namespace gossip::test {

namespace {

// Node i learns from share i + offset, twice from its last batch.
struct on_shares {
  std::size_t shares = 0;
  std::size_t offset = 0;
  batch_choice second = batch_choice::again;
  bool names = true;

  void on_round(auto &plan, round_number k) const {
    for (node i = 0; i < plan.nodes(); ++i)
      for (batch_choice const batch : {batch_choice::next, second}) {
        if (names)
          plan.train(i, {.batch = k == 0 ? batch : batch_choice::next, .share = of(i)});
        else
          plan.train(i, {.batch = k == 0 ? batch : batch_choice::next});
        plan.step(i);
      }
  }
  node of(node i) const { return i + static_cast<node>(offset); }
  std::size_t data_shares() const { return shares; }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

std::vector<std::vector<double>> learnt(std::size_t nodes, on_shares const &exchange,
                                        execution engine) {
  small_simulator network{ring{nodes}, normalised_model{}, sgd{.rate = 0.1, .momentum = 0.9},
                          exchange, cpu{.threads = 2}};
  return watched(network, {.seed = 3, .batch = 5, .stop = rounds{6}, .engine = engine}, at_the_end,
                 split(small_images(), iid{}))
      .seen.back()
      .rows;
}

std::uint64_t digest_on(auto backend, execution engine) {
  small_simulator network{ring{5}, normalised_model{}, sgd{.rate = 0.1},
                          on_shares{.shares = 12, .offset = 7}, backend};
  return network
      .run({.seed = 3, .batch = 5, .stop = rounds{6}, .engine = engine},
           split(small_images(), iid{}))
      .digest;
}

// All learn from one share; node 0 draws a batch of it, or none, and the others take it again.
struct on_one_batch {
  bool drawn = true;

  void on_round(auto &plan, round_number) const {
    for (node i = 0; i < plan.nodes(); ++i) {
      bool const first = i == 0 && drawn;
      plan.train(i, {.batch = first ? batch_choice::next : batch_choice::again, .share = 4});
      plan.step(i);
    }
  }
  static std::size_t data_shares() { return 5; }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

// The same, which adds up what the plan says of samples.
struct telling : on_shares {
  double *sum = nullptr;
  void on_round(auto &plan, round_number k) const {
    for (node share = 0; share < plan.data_shares(); ++share) *sum += plan.samples(share);
    on_shares::on_round(plan, k);
  }
};

void refused(on_shares const &exchange, std::string const &words) {
  CHECK_THROWS_WITH(mixed_numbers(path{3}, exchange, {1, 2, 3}, 1), contains(words));
}

}  // namespace

TEST_CASE("a node that trains on another share learns as the node of that share", "[exchange]") {
  for (execution const engine : {execution::levelled, execution::reference}) {
    auto const here = learnt(5, {.shares = 12, .offset = 7}, engine);
    auto const there = learnt(12, {.names = false}, engine);
    for (std::size_t i = 0; i < 5; ++i) CHECK(here[i] == there[i + 7]);
    CHECK(here[0] != here[1]);
  }
}

TEST_CASE("a device trains on shares of the data as a host does", "[exchange]") {
  std::uint64_t const host = digest_on(serial{}, execution::reference);
  CHECK(digest_on(recording_device{}, execution::levelled) == host);
}

// 10 of 100 clients in each of 1,000 rounds: each is drawn 100 times, standard deviation 9.5.
TEST_CASE("clients are drawn evenly, none twice a round, and each goes through its batches",
          "[exchange]") {
  graph const network = ring{10}.build(1);
  virtual_clock<constant_time> const clock{};
  planner<fed_avg> plan(fed_avg{.clients = 10, .local_steps = 2, .population = 100}, network, clock,
                        {.seed = 4,
                         .node_iterations = 20'000,
                         .rate = [](double) { return 0.1; },
                         .cadences = {},
                         .outboxes = std::vector<std::uint32_t>(11, 1)});
  std::vector<std::size_t> batches(100);
  std::set<node> round;
  std::size_t trained = 0;
  for (plan_window window; plan.next(window);)
    for (operation const &o : window.stream) {
      if (o.kind() != operation_kind::train) continue;
      REQUIRE(o.train().share < 100);
      CHECK(o.train().batch == batches[o.train().share]++);
      if (trained++ % 20 < 10) CHECK(round.insert(o.train().share).second);
      if (trained % 20 == 0) round.clear();
    }
  CHECK(trained == 20'000);
  for (std::size_t const count : batches) {
    CHECK(count > 2 * (100 - 50));
    CHECK(count < 2 * (100 + 50));
  }
}

TEST_CASE("nodes that take the last batch of a share again learn the same", "[exchange]") {
  auto const learn = [](bool drawn) {
    small_simulator network{ring{3}, normalised_model{}, sgd{.rate = 0.1}, on_one_batch{drawn},
                            cpu{.threads = 2}};
    return watched(network, {.seed = 3, .batch = 5, .stop = rounds{4}}, at_the_end,
                   split(small_images(), iid{}))
        .seen.back()
        .rows;
  };
  auto const rows = learn(true);
  CHECK(rows[0] == rows[1]);
  CHECK(rows[0] == rows[2]);
  CHECK_THROWS_WITH(learn(false), contains("node 0 trains on the last batch of share 4 of the "
                                           "data, which has had no batch"));
}

TEST_CASE("a dry run refuses fewer shares of the data than nodes", "[exchange]") {
  small_simulator network{ring{10},          alternating_valleys(),
                          sgd{.rate = 0.1},  fed_avg{.clients = 2, .population = 5},
                          numbers<double>{}, cpu{.threads = 1}};
  CHECK_THROWS_WITH(network.dry_run({.stop = rounds{1}}, {}),
                    contains("shares of the data: expected at least 10, one per node, got 5"));
}

// Of a population of 40, of which the model's own data are one sample each.
TEST_CASE("a model that is its own data has one sample a share", "[exchange]") {
  double sum = 0;
  small_simulator network{ring{3},           alternating_valleys(),
                          sgd{.rate = 0.1},  telling{{.shares = 40}, &sum},
                          numbers<double>{}, cpu{.threads = 1}};
  network.run({.stop = rounds{2}});
  CHECK(sum >= 40);
  CHECK(std::fmod(sum, 40) == 0);
}

TEST_CASE("shares of the data that cannot be trained on are refused", "[exchange]") {
  refused({.offset = 7},
          "node 0 trains on share 7 of the data; expected std::size_t data_shares()");
  refused({.shares = 5, .offset = 5},
          "node 0 trains on share 5 of the data; expected one of the 5");
  refused({.shares = 5, .names = false}, "node 0 trains on no share of the data; expected one of");
  refused({.shares = 2}, "shares of the data: expected at least 3, one per node, got 2");
}

}  // namespace gossip::test
