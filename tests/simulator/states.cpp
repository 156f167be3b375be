// Runs that go on from the state of another: what they need of it, and what they refuse.
#include <gossip/simulator/simulator.hpp>

#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/topology/ring.hpp>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../exchange/conformance.hpp"
#include "../exchange/late_functions.hpp"
#include "../exchange/late_reduce.hpp"

using namespace gossip::test;
using gossip::rounds;

namespace {

gossip::quadratic<3> const valleys{.curvature = {1.0, 0.5}, .optimum = {3, -1, 4}, .noise = 0.1};

/// D-PSGD whose nodes keep messages that they no longer need until they know a distance.
struct hoarding {
  struct node_state {
    std::vector<gossip::message<gossip::detail::no_state>> held{};
    bool tidy = false;
  };

  void on_round(auto &plan, gossip::round_number k) const {
    plan.train_all();
    plan.step_all();
    for (gossip::node i = 0; i < plan.nodes(); ++i) {
      auto &own = plan.state(i);
      std::size_t const most = own.tidy ? 0 : 3;
      while (own.held.size() > most) {
        plan.drop(own.held.back());
        own.held.pop_back();
      }
      plan.send(i, static_cast<gossip::node>((i + 1) % plan.nodes()), {{1, gossip::model_row}});
    }
    plan.deliver();
    if (k == 1) plan.ask(gossip::measured::consensus_distance);
  }
  void on_message(auto &plan, gossip::node i, auto const &m) const {
    plan.assign(i, gossip::model_row, {{0.5, gossip::model_row}}, {{0.5, m}});
    plan.keep(m);
    plan.state(i).held.push_back(m);
  }
  void on_answer(auto &plan, double distance) const {
    for (gossip::node i = 0; i < plan.nodes(); ++i) plan.state(i).tidy = !std::isnan(distance);
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

template <class... Options>
auto network_of(some_exchange const &exchange, Options... options) {
  return gossip::simulator{
      gossip::ring{8},          valleys,   gossip::sgd{.rate = 0.1, .momentum = 0.9}, exchange,
      gossip::with_reference{}, options...};
}

gossip::run_settings const twelve_rounds{.seed = 5, .stop = rounds{12}};

struct stated_run {
  gossip::run_report report;
  std::vector<gossip::named_state> states;
};

template <class Simulator>
stated_run run(Simulator network, gossip::run_settings const &settings) {
  stated_run result;
  result.report = network.run(settings, gossip::consensus_distance{}, keep_states{&result.states});
  return result;
}

/// From every state of a run, by the other engine.
void check_resumed(some_exchange const &exchange, gossip::run_settings settings) {
  auto const whole = run(network_of(exchange), settings);
  REQUIRE(whole.states.size() > 2);
  settings.engine = gossip::execution::reference;
  for (gossip::named_state const &state : whole.states) {
    settings.state = &state;
    auto const rest = run(network_of(exchange), settings);
    CHECK(gossip::hex(rest.report.digest) == gossip::hex(whole.report.digest));
    CHECK(rest.report.answers == whole.report.answers);
    CHECK(rest.report.node_iterations == whole.report.node_iterations);
    CHECK(rest.report.virtual_seconds == whole.report.virtual_seconds);
    CHECK(rest.report.last.loss == whole.report.last.loss);
    CHECK(rest.report.last.consensus_distance == whole.report.last.consensus_distance);
    check_same(rest.states.empty() ? state : rest.states.back(), whole.states.back());
  }
}

}  // namespace

TEST_CASE("a run goes on behind the decisions of the run that was saved", "[simulator]") {
  auto const exchange =
      gossip::stop_at<gossip::d_psgd<>>{{}, gossip::measured::consensus_distance, 1e-9, 3};
  check_resumed(exchange, twelve_rounds);
  auto const whole = run(network_of(exchange), twelve_rounds);
  CHECK(whole.report.answers.size() == 3);
  CHECK(whole.states[0].list<double>("run/answers").size() == 1);
  CHECK(whole.states.back().list<double>("run/answers") == whole.report.answers);
}

// The room for messages was counted before any answer was known.
TEST_CASE("messages are the same owners after a decision as before it", "[simulator]") {
  check_resumed(hoarding{}, twelve_rounds);
}

TEST_CASE("gradients that were summed and not reduced are a part of the state", "[simulator]") {
  check_resumed(late_reduce{}, twelve_rounds);
  auto const whole = run(network_of(late_reduce{}), twelve_rounds);
  auto const sums = whole.states[0].list<std::int64_t>("sums/coarse");
  REQUIRE(sums.size() == 3);
  CHECK(sums[0] != 0);
  CHECK(whole.states[0].list<std::int64_t>("sums/fine")[0] != 0);  // below what floats show here
}

TEST_CASE("functions have their numbers in a run that goes on behind their first naming",
          "[simulator]") {
  check_resumed(late_functions{}, twelve_rounds);
}

TEST_CASE("a run that was interrupted is finished by another", "[simulator]") {
  struct pull_at {
    std::atomic<bool> *cord;
    std::uint64_t windows;
    void window_ended(gossip::window_end const &now) const { *cord = now.windows == windows; }
  };
  auto network = network_of(gossip::d_psgd{});
  auto const whole = run(network, twelve_rounds);
  std::atomic<bool> cord{false};
  auto settings = twelve_rounds;
  settings.interrupt = &cord;
  // quote resumed
  std::vector<gossip::named_state> states;
  auto const part = network.run(settings, keep_states{&states}, pull_at{&cord, 2});
  settings.interrupt = nullptr;
  settings.state = &states.back();
  auto const rest = network.run(settings);
  // end quote
  CHECK(part.interrupted);
  CHECK(part.node_iterations == 8 * 8);
  REQUIRE(states.size() == 2);
  CHECK(gossip::hex(rest.digest) == gossip::hex(whole.report.digest));
}

TEST_CASE("a longer run goes on from a state before the first training that was refused",
          "[simulator]") {
  auto twenty_rounds = twelve_rounds;
  twenty_rounds.stop = rounds{20};
  for (some_exchange const &exchange :
       {some_exchange(gossip::d_psgd{}), some_exchange(gossip::ad_psgd{}),
        some_exchange(gossip::all_reduce{})}) {
    auto const shorter = run(network_of(exchange), twelve_rounds);
    auto const whole = run(network_of(exchange), twenty_rounds);
    CHECK(gossip::hex(shorter.report.digest) != gossip::hex(whole.report.digest));
    auto settings = twenty_rounds;
    std::size_t taken = 0;
    for (gossip::named_state const &state : shorter.states) {
      if (state.list<std::uint64_t>("run/node iterations").at(0) > 11 * 8) continue;
      ++taken;
      settings.state = &state;
      auto const rest = run(network_of(exchange), settings);
      CHECK(gossip::hex(rest.report.digest) == gossip::hex(whole.report.digest));
      CHECK(rest.report.node_iterations == 20 * 8);
      CHECK(rest.report.virtual_seconds == whole.report.virtual_seconds);
      check_same(rest.states.back(), whole.states.back());
    }
    CHECK(taken >= 2);
    settings.state = &shorter.states.back();
    CHECK_THROWS_WITH(
        run(network_of(exchange), settings),
        "state: expected at least 8 node-iterations to the end of its run, since this "
        "one ends later, got 0");
    settings = twelve_rounds;
    settings.state = &whole.states[0];
    CHECK_THROWS_WITH(run(network_of(exchange), settings),
                      contains("expected a run with 'node-iterations: 160', as in the saved run, "
                               "got 'node-iterations: 96'"));
  }
}

TEST_CASE("a state of another run is refused in a sentence", "[simulator]") {
  auto const whole = run(network_of(gossip::d_psgd{}), twelve_rounds);
  auto const refused = [&](auto network, auto change, std::string const &sentence) {
    auto settings = twelve_rounds;
    settings.state = &whole.states[0];
    change(settings);
    CHECK_THROWS_WITH(run(network, settings), contains(sentence));
  };
  auto const as_it_was = [](gossip::run_settings &) {};
  refused(
      network_of(gossip::d_psgd{}), [](auto &s) { s.seed = 6; },
      "state: expected a run with 'seed: 5', as in the saved run, got 'seed: 6'");
  refused(network_of(gossip::d_psgd{.order = gossip::mixing_order::adapt_then_combine}), as_it_was,
          "the exchange: ");
  refused(gossip::simulator{gossip::ring{8}, valleys, gossip::sgd{.rate = 0.1, .momentum = 0.8},
                            some_exchange(gossip::d_psgd{})},
          as_it_was, "momentum of the optimizer: 0.9', as in the saved run, got");
  refused(network_of(gossip::d_psgd{}, gossip::numbers<double>{}), as_it_was, "bytes of a message");
  // Another graph with as many nodes is another plan.
  refused(gossip::simulator{fan{8}, valleys, gossip::sgd{.rate = 0.1, .momentum = 0.9},
                            some_exchange(gossip::d_psgd{})},
          as_it_was, "state: window 1 of the plan: expected hash ");
}

TEST_CASE("a state without the answers of its run is refused", "[simulator]") {
  auto const network = network_of(
      gossip::stop_at<gossip::d_psgd<>>{{}, gossip::measured::consensus_distance, 1e-9, 3});
  auto state = run(network, twelve_rounds).states[1];
  auto answers = state.parts().at("run/answers");
  answers.each = 0;
  answers.bytes.clear();
  state.put("run/answers", answers);
  auto settings = twelve_rounds;
  settings.state = &state;
  CHECK_THROWS_WITH(run(network, settings), contains("of the plan: expected hash"));
}

TEST_CASE("observers that keep another state are refused", "[simulator]") {
  auto network = network_of(gossip::d_psgd{});
  auto const whole = run(network, twelve_rounds);
  auto settings = twelve_rounds;
  settings.state = &whole.states[0];
  std::vector<snapshot> seen;
  CHECK_THROWS_WITH(network.run(settings, watch{&seen}),
                    contains("state: expected a part observers/0/looks, got none"));
}
