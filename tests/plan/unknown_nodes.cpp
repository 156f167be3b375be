// Verbs, questions and handles of a plan that are asked about nodes that are not there.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gossip/clock/constant_time.hpp>
#include <gossip/codec/sign.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"

namespace {

using namespace gossip;

constexpr std::size_t nodes = 4;

/// An exchange in rounds that has all that an exchange may declare, and whose round is a test's.
struct everything {
  struct node_state {
    int count = 0;
  };
  static constexpr std::size_t rows = 2, edge_rows = 1, servers = 1;
  std::function<void(void *)> round;

  void on_round(auto &plan, round_number) const {
    round(&plan);
    plan.train_all();
    plan.step_all();
  }
  void on_message(auto &, node, auto const &) const {}
};

/// The same in events, with timers.
struct timed {
  std::function<void(void *)> trained;

  void on_trained(auto &plan, node i) const {
    trained(&plan);
    plan.step(i);
    plan.train(i);
  }
  void on_timer(auto &plan, node i, std::uint32_t) const { (void)plan.random_neighbor(i); }
};

/// What f(plan) of an exchange throws.
template <class Exchange, class F>
std::string refusal(std::size_t servers, F f) {
  graph const g = ring{.nodes = nodes}.build(1);
  plan_settings settings;
  settings.node_iterations = 12;
  settings.columns = 8;
  settings.row_bytes = settings.message_bytes = 32;
  settings.outboxes.assign(nodes + servers, 64);
  auto const call = [&](void *plan) { f(*static_cast<plan_of<Exchange> *>(plan)); };
  try {
    Exchange const exchange{call};
    planner<Exchange> plan(exchange, g, virtual_clock{.compute = constant_time{}}, settings);
    for (plan_window window; plan.next(window);) {
    }
  } catch (std::exception const &fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every verb and question of a plan refuses a node that is not there", "[plan]") {
  using plan = plan_of<everything>;
  using act = void (*)(plan &, node);
  static constexpr row_name own = exchange_row(0);
  std::vector<std::pair<char const *, act>> const all{
      {"train", [](plan &p, node i) { p.train(i); }},
      {"step", [](plan &p, node i) { p.step(i); }},
      {"reset_optimizer", [](plan &p, node i) { p.reset_optimizer(i); }},
      {"rate", [](plan &p, node i) { (void)p.rate(i); }},
      {"state", [](plan &p, node i) { ++p.state(i).count; }},
      {"is_server", [](plan &p, node i) { (void)p.is_server(i); }},
      {"has_neighbor", [](plan &p, node i) { (void)p.has_neighbor(i); }},
      {"random_neighbor", [](plan &p, node i) { (void)p.random_neighbor(i); }},
      {"takes_part", [](plan &p, node i) { (void)p.takes_part(i); }},
      {"random", [](plan &p, node i) { (void)p.random(i); }},
      {"chance", [](plan &p, node i) { (void)p.chance(i, 0.5); }},
      {"samples", [](plan &p, node i) { (void)p.samples(i); }},
      {"neighbors", [](plan &p, node i) { (void)p.topology().neighbors(i); }},
      {"degree", [](plan &p, node i) { (void)p.topology().degree(i); }},
      {"has_edge", [](plan &p, node i) { (void)p.topology().has_edge(0, i); }},
      {"neighbors of a round", [](plan &p, node i) { (void)p.topology(0).neighbors(i); }},
      {"average", [](plan &p, node i) { p.average(i, 0); }},
      {"average with", [](plan &p, node i) { p.average(0, i); }},
      {"average of a fragment", [](plan &p, node i) { p.average(0, i, own, fragment{0, 2}); }},
      {"combine", [](plan &p, node i) { p.combine(i, 0, 0.5); }},
      {"combine with", [](plan &p, node i) { p.combine(0, i, 0.5); }},
      {"assign", [](plan &p, node i) { p.assign(i, own, {{1, model_row}}); }},
      {"assign a fragment",
       [](plan &p, node i) { p.assign(i, own, {{1, model_row}}, fragment{0, 2}); }},
      {"assign messages",
       [](plan &p, node i) { p.assign(i, own, {{1, model_row}}, {{1, p.edge(0, 1)}}); }},
      {"add", [](plan &p, node i) { p.add(i, own, {{1, p.edge(0, 1)}}); }},
      {"edge", [](plan &p, node i) { (void)p.edge(i, 0); }},
      {"edge to", [](plan &p, node i) { (void)p.edge(0, i); }},
      {"server", [](plan &p, node i) { (void)p.server(i); }},
      {"send", [](plan &p, node i) { p.send(i, 0, {{1, model_row}}); }},
      {"send to", [](plan &p, node i) { p.send(0, i, {{1, model_row}}); }},
      {"send a fragment", [](plan &p, node i) { p.send(0, i, {{1, model_row}}, fragment{0, 2}); }},
      {"wait_until", [](plan &p, node i) { p.wait_until(i, virtual_time(1)); }},
      {"wait for", [](plan &p, node i) { p.wait_until(i, completion{}); }},
      {"arriving", [](plan &p, node i) { (void)p.arriving(i, {}, model_row); }},
      {"arriving from", [](plan &p, node i) { (void)p.arriving(0, {{i, 1.0}}, model_row); }},
      {"sum_to", [](plan &p, node i) { p.sum_to(i, own, {{0, 1.0}}, model_row); }},
      {"sum_to of", [](plan &p, node i) { p.sum_to(0, own, {{i, 1.0}}, model_row); }},
      {"apply", [](plan &p, node i) { p.apply(op::clear{}, i, {own}); }},
      {"apply with",
       [](plan &p, node i) { p.apply(op::linear<1>{}, 0, {own}, i, model_row, {1.0}); }},
      {"reduce", [](plan &p, node i) { (void)p.reduce(op::squared_norm{}, i, {own}); }},
      {"reduce with",
       [](plan &p, node i) { (void)p.reduce(op::squared_distance{}, 0, {own}, i, own); }},
      {"reduce of two",
       [](plan &p, node i) { (void)p.reduce(op::squared_distance{}, 0, 1, own, i, own); }}};
  std::size_t const owners = nodes + everything::servers;
  for (auto const &[verb, of] : all)
    for (std::size_t const k : {owners, owners + 1, std::size_t{9999},
                                std::size_t{std::numeric_limits<std::uint32_t>::max()}}) {
      CAPTURE(verb, k);
      std::string const sentence =
          refusal<everything>(everything::servers, [&](plan &p) { of(p, static_cast<node>(k)); });
      CHECK_THAT(sentence, gossip::test::contains(std::to_string(k)));
    }
}

TEST_CASE("timers refuse nodes that are not there, and coefficients are finite", "[plan]") {
  using plan = plan_of<timed>;
  CHECK(refusal<timed>(0, [](plan &p) { p.set_timer(9999, virtual_time(1)); }) ==
        "exchange: plan.set_timer: expected a node below 4, got 9999");
  CHECK(refusal<timed>(0, [](plan &p) { p.combine(0, 1, std::nan("")); }) ==
        "exchange: plan.combine: expected a finite coefficient of node 0, got nan");
  double const infinite = std::numeric_limits<double>::infinity();
  using round = plan_of<everything>;
  auto const refused = [](auto f) { return refusal<everything>(everything::servers, f); };
  CHECK(refused([&](round &p) { p.assign(2, exchange_row(0), {{infinite, model_row}}); }) ==
        "exchange: plan.assign: expected a finite coefficient of node 2, got inf");
  CHECK(refused([&](round &p) {
          p.assign(p.edge(0, 1), {{infinite, model_row}});
        }).ends_with("expected a finite coefficient of node 0, got inf"));
  CHECK(refused([&](round &p) {
          p.add(0, exchange_row(0), {{infinite, p.edge(0, 1)}});
        }).ends_with("expected a finite coefficient of node 0, got inf"));
  CHECK(refused([&](round &p) { p.sum_to(0, exchange_row(0), {{1, infinite}}, model_row); }) ==
        "exchange: plan.sum_to: expected a finite coefficient of node 0, got inf");
}
