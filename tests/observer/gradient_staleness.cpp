// Staleness from record to record, against closed forms, dry runs, and a run that was cut.
#include <gossip/observer/gradient_staleness.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::any_exchange;
using gossip::gradient_staleness;
using gossip::rounds;

namespace {

struct keep_records {
  std::vector<gossip::record> *all;
  void take(gossip::record const &r) const { all->push_back(r); }
};

double staleness(gossip::record const &r) {
  for (auto const &one : r.numbers)
    if (one.name == "staleness") return one.value;
  return std::nan("");
}

auto network_of(any_exchange const &exchange) {
  return gossip::simulator{gossip::ring{8}, gossip::quadratic<3>{}, gossip::sgd{.rate = 0.1},
                           exchange};
}

std::vector<gossip::record> records_of(any_exchange const &exchange, std::uint64_t every) {
  auto network = network_of(exchange);
  std::vector<gossip::record> all;
  network.run({.seed = 5, .stop = rounds{23}}, gossip::every(rounds{every}, gradient_staleness{}),
              keep_records{&all});
  return all;
}

}  // namespace

TEST_CASE("staleness of exchanges in rounds is that of their order in every record", "[observer]") {
  auto const check = [](any_exchange const &exchange, double expected) {
    auto const all = records_of(exchange, 2);
    REQUIRE(all.size() == 13);
    CHECK(std::isnan(staleness(all[0])));
    for (std::size_t k = 1; k < all.size(); ++k) CHECK(staleness(all[k]) == expected);
  };
  check(gossip::all_reduce{}, 0);
  check(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, 0);
  check(gossip::d_psgd<>{.order = gossip::mixing_order::combine_then_adapt}, 1);
  check(gossip::d_psgd<>{.point = gossip::gradient_point::mixed}, 0);
}

// Nodes of equal speed are heard in their order: of three gradients the first is as new as the
// server's model, the second a step older, the third two; from then on all are two steps old.
TEST_CASE("gradients that a server applies are as stale as its steps since it sent their model",
          "[observer]") {
  auto const planned = [](any_exchange const &exchange, std::uint64_t count) {
    gossip::simulator network{gossip::ring{3}, gossip::quadratic<4>{}, gossip::sgd{.rate = 0.1},
                              exchange, gossip::virtual_clock{.compute = gossip::constant_time{}}};
    return network.dry_run({.stop = rounds{count}}, {});
  };
  auto const by_each = planned(gossip::parameter_server{}, 6);
  CHECK(by_each.staleness.total() == 18);
  CHECK(by_each.staleness[0] == 1);
  CHECK(by_each.staleness[1] == 1);
  CHECK(by_each.staleness[2] == 16);
  CHECK(by_each.node_staleness == std::vector<double>{10.0 / 6, 11.0 / 6, 12.0 / 6});
  CHECK(planned(gossip::softsync{}, 6).staleness.sum() == by_each.staleness.sum());

  // By hand: versions of the models that the three nodes have, and steps by two gradients each.
  auto const by_two = planned(gossip::softsync{.collected = 2}, 6);
  std::uint64_t version[3] = {}, steps = 0, sum = 0;
  for (int gradient = 0; gradient < 18; ++gradient) {
    bool const second = gradient % 2 != 0;
    sum += steps - version[gradient % 3];
    steps += second;
    version[gradient % 3] = steps;
  }
  CHECK(by_two.staleness.total() == 18);
  CHECK(by_two.staleness.sum() == sum);

  // Late gradients are thrown away: a server of one in three steps by the first of each three.
  auto const first = planned(gossip::synchronous_server{.wait_for = 1}, 30);
  CHECK(first.staleness.largest() == 0);
  CHECK(first.staleness.total() < 90);
  CHECK(planned(gossip::synchronous_server{}, 6).staleness[0] == 18);
  CHECK(planned(gossip::fed_avg{.local_steps = 3}, 6).staleness[0] == 18);
}

// Every node-iteration is a gradient that its node applies, or the server.
TEST_CASE("records of asynchronous gradients add up to the plan's staleness", "[observer]") {
  for (any_exchange const &exchange :
       {any_exchange{gossip::ad_psgd{}}, any_exchange{gossip::softsync{}}}) {
    auto const planned =
        network_of(exchange).dry_run({.seed = 5, .stop = rounds{23}}, {}).staleness;
    for (std::uint64_t const every : {1, 3, 23, 100}) {
      auto const all = records_of(exchange, every);
      double sum = 0;
      for (std::size_t k = 1; k < all.size(); ++k) {
        auto const applied = all[k].mark.node_iterations - all[k - 1].mark.node_iterations;
        if (applied > 0) sum += staleness(all[k]) * static_cast<double>(applied);
      }
      CHECK(all.back().mark.node_iterations == planned.total());
      CHECK(sum == Approx(static_cast<double>(planned.sum())));
    }
  }
}

TEST_CASE("a run that goes on from a state has the staleness of one that did not stop",
          "[observer]") {
  auto network = network_of(gossip::ad_psgd{});
  gossip::run_settings settings{.seed = 5, .stop = rounds{23}};
  std::vector<gossip::record> whole, rest;
  std::vector<gossip::named_state> states, ignored;
  network.run(settings, gossip::every(rounds{3}, gradient_staleness{}), keep_records{&whole},
              keep_states{&states});
  REQUIRE(states.size() > 2);
  settings.state = &states[1];
  network.run(settings, gossip::every(rounds{3}, gradient_staleness{}), keep_records{&rest},
              keep_states{&ignored});
  REQUIRE(rest.size() > 1);
  REQUIRE(rest.size() < whole.size());
  for (std::size_t k = 0; k < rest.size(); ++k)
    CHECK(staleness(rest[k]) == staleness(whole[whole.size() - rest.size() + k]));
}
