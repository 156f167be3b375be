// Exchanges on a network that changes by rounds: which graph a plan means when it is asked.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/matcha.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"
#include "plans.hpp"

namespace {

using namespace gossip;
using namespace gossip::test;

/// Six nodes: 0-1 2-3, then 1-2 3-0, then 4-5 for two rounds, then all again.
graph three_graphs() {
  auto const of = [](std::vector<edge> const &edges) { return graph::undirected(6, edges); };
  return graph::changing(
      by_round<graph>({of({{0, 1}, {2, 3}}), of({{1, 2}, {3, 0}}), of({{4, 5}})}, {0, 1, 2}, 4));
}

/// An exchange in rounds whose round is a test's.
struct in_rounds {
  static constexpr std::size_t edge_rows = 1;
  std::function<void(void *, round_number)> round;
  network_changes changes = network_changes::by_round;

  void on_round(auto &plan, round_number k) const {
    round(&plan, k);
    plan.train_all();
    plan.step_all();
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false, .when_network_changes = changes};
  }
};
using plan_in_rounds = plan_of<in_rounds>;

/// One in events that asks for a neighbor, and says what a test has it say.
struct in_events {
  std::optional<network_changes> changes{};
  bool asks = true;

  void on_trained(auto &plan, node i) const {
    plan.step(i);
    if (asks && plan.has_neighbor(i)) plan.average(i, plan.random_neighbor(i));
    plan.train(i);
  }
  constexpr exchange_properties properties() const { return {.when_network_changes = changes}; }
};

template <class Exchange>
void planned(Exchange const &exchange, graph const &g) {
  whole_plan_of(exchange, g, rounds_of(g.nodes(), 8));
}

TEST_CASE("in rounds the network and its neighbors are the round's", "[plan]") {
  graph const g = three_graphs();
  std::uint64_t drawn = 0;
  planned(in_rounds{[&](void *p, round_number k) {
            auto &plan = *static_cast<plan_in_rounds *>(p);
            graph const &now = (*g.rounds())[k];
            CHECK(&plan.topology() == &now);
            CHECK(&plan.topology(k + 1) == &(*g.rounds())[k + 1]);
            CHECK(&plan.union_of_rounds() == &g);
            for (node i = 0; i < g.nodes(); ++i) {
              CHECK(plan.has_neighbor(i) == (now.degree(i) > 0));
              if (!plan.has_neighbor(i)) {
                CHECK_THROWS_WITH(plan.random_neighbor(i), contains("no neighbo"));
                continue;
              }
              CHECK(now.has_edge(i, plan.random_neighbor(i)));
              ++drawn;
            }
          }},
          g);
  CHECK(drawn == 2 * (4 + 4 + 2 + 2));
}

TEST_CASE("a network that stays has one graph for all rounds", "[plan]") {
  graph const g = ring{6}.build();
  planned(in_rounds{[&](void *p, round_number k) {
            auto &plan = *static_cast<plan_in_rounds *>(p);
            CHECK(&plan.topology() == &g);
            CHECK(&plan.topology(k + 7) == &g);
            CHECK(&plan.union_of_rounds() == &g);
          }},
          g);
}

TEST_CASE("rows of edges are those of the union of all rounds", "[plan]") {
  graph const g = three_graphs();
  planned(in_rounds{[&](void *p, round_number) {
            auto &plan = *static_cast<plan_in_rounds *>(p);
            for (edge const e : g.edge_list())
              plan.assign(plan.edge(e.from, e.to), {{1, model_row}});
            CHECK_THROWS_WITH(plan.edge(0, 5), contains("has no row 0 of an edge to node 5"));
          }},
          g);
}

TEST_CASE("an exchange that ignores how its network changes cannot ask for it", "[plan]") {
  auto const asked =
      "exchange: asks for the network or for neighbors on a network that changes by "
      "rounds; its properties say when_network_changes = network_changes::ignored";
  in_rounds exchange{[&](void *p, round_number k) {
                       auto &plan = *static_cast<plan_in_rounds *>(p);
                       CHECK_THROWS_WITH(plan.topology(), asked);
                       CHECK_THROWS_WITH(plan.topology(k), asked);
                       CHECK_THROWS_WITH(plan.union_of_rounds(), asked);
                       CHECK_THROWS_WITH(plan.has_neighbor(0), asked);
                       CHECK_THROWS_WITH(plan.random_neighbor(0), asked);
                     },
                     network_changes::ignored};
  planned(exchange, three_graphs());
  exchange.round = [](void *p, round_number) {
    CHECK(static_cast<plan_in_rounds *>(p)->topology().nodes() == 6);
  };
  planned(exchange, ring{6}.build());  // there is nothing to ignore
  CHECK_THROWS_WITH(planned(in_events{network_changes::ignored}, three_graphs()), asked);
  planned(in_events{network_changes::ignored, false}, three_graphs());
}

TEST_CASE("events have no round whose graph an exchange could mean", "[plan]") {
  auto const refused =
      "exchange: expected a topology that is constant over all rounds, got a topology that changes "
      "from round to round";
  CHECK_THROWS_WITH(planned(in_events{}, three_graphs()), refused);
  CHECK_THROWS_WITH(planned(in_events{network_changes::refused}, three_graphs()), refused);
  CHECK_THROWS_WITH(planned(in_events{network_changes::by_round}, ring{6}.build()),
                    "exchange: properties: expected when_network_changes refused or ignored of an "
                    "exchange in events, got by_round");
  planned(in_events{}, ring{6}.build());
  auto const nothing = [](void *, round_number) {};
  CHECK_THROWS_WITH(planned(in_rounds{nothing, network_changes::refused}, three_graphs()), refused);
}

TEST_CASE("exchanges of the library say what they do with a network that changes", "[plan]") {
  std::string const refused =
      ": expected a topology that is constant over all rounds, got a topology that changes from "
      "round to round";
  graph const g = three_graphs();
  CHECK_THROWS_WITH(planned(ad_psgd{}, g), "ad_psgd" + refused);
  CHECK_THROWS_WITH(planned(gossip_learning{}, g), "gossip_learning" + refused);
  CHECK_THROWS_WITH(planned(relay_sgd{}, g), "relay_sgd" + refused);
  CHECK_THROWS_WITH(planned(matcha{}, g), "matcha" + refused);
  planned(div_share{.fragments = 1, .peers = 2}, g);
  planned(parameter_server{}, g);
}

}  // namespace
