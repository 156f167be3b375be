// Chance of an exchange: keyed by seed, node and draw, and by nothing else.
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using gossip::node;
using gossip::operation_kind;
using gossip::plan_settings;

namespace {

using coins = std::map<node, std::vector<double>>;

/// In rounds; nodes draw in ascending or descending order, node 0 and some more often than others.
struct draw_round {
  coins *drawn;
  bool backwards = false;
  unsigned extra = 0;  // draws of node 2 between the others'

  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    for (node k = 0; k < plan.nodes(); ++k) {
      node const i = backwards ? static_cast<node>(plan.nodes()) - 1 - k : k;
      for (unsigned e = 0; e < extra; ++e) (*drawn)[2].push_back(plan.random(2));
      (*drawn)[i].push_back(plan.random(i));
      (*drawn)[i].push_back(plan.chance(i, 0.5) ? 1.0 : 0.0);
    }
    plan.step_all();
  }
};

// quote chance
/// AD-PSGD whose nodes average after some of their trainings only, which saves messages.
struct now_and_then {
  double probability = 0.25;

  void on_trained(auto &plan, node i) const {
    if (plan.has_neighbor(i) && plan.chance(i, probability))
      plan.average(i, plan.random_neighbor(i));
    plan.step(i);
    plan.train(i);
  }
};
// end quote

coins drawn_by(bool backwards, unsigned extra, std::uint64_t seed = 1) {
  coins drawn;
  plan_settings settings = rounds_of(5, 40);
  settings.seed = seed;
  whole_plan_of(draw_round{&drawn, backwards, extra}, gossip::ring{5}.build(), settings);
  return drawn;
}

std::size_t averages(double p, std::uint64_t seed) {
  plan_settings settings = rounds_of(10, 1000);
  settings.seed = seed;
  return whole_plan_of(now_and_then{p}, gossip::ring{10}.build(), settings)
      .count(operation_kind::columns);
}

}  // namespace

TEST_CASE("a node draws the same whatever others draw, in whatever order", "[plan]") {
  coins const plain = drawn_by(false, 0);
  CHECK(drawn_by(true, 0) == plain);
  coins more = drawn_by(false, 3);
  CHECK(more[2].size() > plain.at(2).size());
  more[2] = plain.at(2);
  CHECK(more == plain);
}

TEST_CASE("all nodes are as likely to be clients of a round", "[plan]") {
  plan_settings settings;
  settings.node_iterations = 3 * 2000;
  settings.epoch.samples = 800;
  settings.rate = [](double) { return 0.1; };
  auto const plan = whole_plan_of(gossip::fed_avg{.clients = 3}, gossip::ring{8}.build(), settings);
  std::vector<double> chosen(8, 0.0);
  for (auto const &o : plan.stream)
    if (o.kind() == operation_kind::train) ++chosen[o.a];
  // A node is drawn in a round with probability 3/8: 750 times, standard deviation 21.7.
  for (double const count : chosen) CHECK(count == Approx(750).margin(100));
}

TEST_CASE("other seeds and other nodes draw other numbers", "[plan]") {
  coins const plain = drawn_by(false, 0), other = drawn_by(false, 0, 2);
  for (node i = 0; i < 5; ++i) CHECK(plain.at(i) != other.at(i));
  for (node i = 1; i < 5; ++i) CHECK(plain.at(i) != plain.at(0));
}

TEST_CASE("random numbers from 0 to below 1 are uniform and coins come up as often as asked for",
          "[plan]") {
  double sum = 0, squares = 0, count = 0;
  for (auto const &[i, numbers] : drawn_by(false, 0))
    for (std::size_t k = 0; k < numbers.size(); k += 2) {
      REQUIRE((numbers[k] >= 0 && numbers[k] < 1));
      sum += numbers[k];
      squares += numbers[k] * numbers[k];
      ++count;
    }
  CHECK(count == 200);
  CHECK(sum / count == Approx(0.5).margin(0.08));          // standard deviation 0.020
  CHECK(squares / count == Approx(1.0 / 3).margin(0.08));  // 0.021
  CHECK(averages(0, 1) == 0);
  CHECK(averages(1, 1) == 10'000);
  for (double const p : {0.05, 0.5, 0.8})  // standard deviation at most 50 of 10,000
    for (std::uint64_t const seed : {1, 2})
      CHECK(static_cast<double>(averages(p, seed)) == Approx(10'000 * p).margin(200));
}

TEST_CASE("a probability that is none is refused", "[plan]") {
  CHECK_THROWS_WITH(averages(1.5, 1),
                    "exchange: node 0: chance: expected a probability from 0 to 1, got 1.5");
  CHECK_THROWS_WITH(averages(-0.5, 1), contains("got -0.5"));
  CHECK_THROWS_WITH(averages(0.0 / 0.0, 1), contains("a probability from 0 to 1"));
}

namespace {

struct inner {
  int count = 0;
  std::minstd_rand engine;
};
struct plain_state {
  std::uint64_t steps = 0;
  double weights[3] = {};
  std::vector<node> peers;
  std::uniform_real_distribution<double> spread;
};
struct second_member {
  int count = 0;
  std::mt19937 engine;
};
struct nested_member {
  double x[2] = {};
  inner within;
};
struct several_engines {
  std::mt19937_64 engines[2];
};
struct tenth_member {
  int a, b, c, d, e, f, g, h, i;
  std::ranlux24_base engine;
};

}  // namespace

TEST_CASE("random engines are found in a node's bookkeeping", "[plan]") {
  using gossip::detail::holds_random_engine;
  CHECK(holds_random_engine<std::mt19937>);
  CHECK(holds_random_engine<second_member>);
  CHECK(holds_random_engine<nested_member>);
  CHECK(holds_random_engine<several_engines>);
  CHECK(holds_random_engine<tenth_member>);
  CHECK_FALSE(holds_random_engine<plain_state>);
  CHECK_FALSE(holds_random_engine<int>);
}
