// Handlers that take gossip::plan &: the plans of `auto &plan`, and its refusals when a verb is
// called.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "plans.hpp"

using namespace gossip::test;
using gossip::model_row;
using gossip::node;

namespace {
namespace plain {

struct ad_psgd {
  void on_trained(gossip::plan &plan, node i) const {
    if (plan.has_neighbor(i)) plan.average(i, plan.random_neighbor(i));
    plan.step(i);
    plan.train(i);
  }
};

struct d_psgd {
  void on_round(gossip::plan &plan, gossip::round_number k) const {
    plan.train_all();
    plan.mix_all(plan.weights(k));
    plan.step_all();
  }
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::metropolis_hastings{}.weights(g);
  }
};

/// Every handler with a plain plan.
struct all_handlers {
  static constexpr std::size_t rows = 1;
  std::size_t *seen;

  void on_start(gossip::plan &plan) const {
    plan.train_all();
    plan.set_timer(0, std::chrono::milliseconds(3), 7);
  }
  void on_trained(gossip::plan &plan, node i) const {
    plan.step(i);
    plan.send(i, (i + 1) % 4, {{1, model_row}});
    plan.train(i);
  }
  void on_message(gossip::plan &plan, node i, gossip::message_header const &m) const {
    plan.assign(i, model_row, {{0.5, model_row}}, {{0.5, m}});
    ++*seen;
  }
  void on_timer(gossip::plan &plan, node i, std::uint32_t tag) const {
    CHECK(i == 0);
    CHECK(tag == 7);
    CHECK(plan.now() == std::chrono::milliseconds(3));
    *seen += 1000;
  }
};

/// Models go on to the next node by a plain plan, and from there two further with a state.
struct forwards {
  std::size_t *seen;
  struct message_state {
    int hops = 0;
  };

  void on_trained(gossip::plan &plan, node i) const {
    plan.step(i);
    plan.send(i, (i + 1) % 4, {{1, model_row}});
    plan.train(i);
  }
  void on_message(auto &plan, node i, auto const &m) const {
    CHECK(m.state.hops == (m.from == (i + 2) % 4 ? 1 : 0));
    if (m.state.hops == 0) plan.send(i, (i + 2) % 4, {{1, model_row}}, {}, {1});
    ++*seen;
  }
};

/// Calls a verb in its first round.
template <class Verb>
struct in_rounds {
  Verb call;
  void on_round(gossip::plan &plan, gossip::round_number) const {
    plan.train_all();
    call(plan);
  }
};
/// Calls a verb behind its first training.
template <class Verb>
struct in_events {
  Verb call;
  void on_trained(gossip::plan &plan, node i) const {
    call(plan);
    plan.step(i);
    plan.train(i);
  }
};

template <class Exchange>
void plan_briefly(Exchange const &exchange) {
  whole_plan_of(exchange, gossip::ring{4}.build(), rounds_of(4, 3));
}

}  // namespace plain
}  // namespace

TEST_CASE("a handler with gossip::plan & plans what one with auto & plans", "[plan]") {
  auto const g = gossip::ring{6}.build();
  check_same(whole_plan_of(plain::ad_psgd{}, g, rounds_of(6, 9)),
             whole_plan_of(gossip::ad_psgd{}, g, rounds_of(6, 9)));
  check_same(whole_plan_of(plain::d_psgd{}, g, rounds_of(6, 9)),
             whole_plan_of(gossip::d_psgd{}, g, rounds_of(6, 9)));
  std::size_t seen = 0;
  plain::plan_briefly(plain::all_handlers{&seen});
  CHECK(seen > 1000);
}

TEST_CASE("a message that a plain plan sends has no state, whatever its row had before", "[plan]") {
  std::size_t seen = 0;
  plain::plan_briefly(plain::forwards{&seen});
  CHECK(seen > 10);
}

TEST_CASE("a plain plan refuses a verb that its exchange has no handler or member for", "[plan]") {
  auto const rounds = [](auto verb, std::string const &sentence) {
    CHECK_THROWS_WITH(plain::plan_briefly(plain::in_rounds<decltype(verb)>{verb}), sentence);
  };
  auto const events = [](auto verb, std::string const &sentence) {
    CHECK_THROWS_WITH(plain::plan_briefly(plain::in_events<decltype(verb)>{verb}), sentence);
  };
  std::string const page = " See docs/policies/exchange.md";
  rounds([](gossip::plan &p) { p.weights(0); },
         "gossip::plan: weights needs an exchange with mixing_matrix weights(graph const &) "
         "const." +
             page);
  rounds([](gossip::plan &p) { p.edge(0, 1); },
         "gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows with "
         "the number of rows of an edge." +
             page);
  rounds([](gossip::plan &p) { p.average_beside(0, 1); },
         "gossip::plan: average_beside belongs to events; in rounds in_background lets messages "
         "travel." +
             page);
  events([](gossip::plan &p) { p.in_background([] {}); },
         "gossip::plan: in_background belongs to rounds; messages of event exchanges travel while "
         "nodes go on." +
             page);
  rounds([](gossip::plan &p) { p.reduce_all(); },
         "gossip::plan: reduce_all needs an exchange whose properties() have replicas_identical = "
         "true." +
             page);
  events([](gossip::plan &p) { p.deliver(); },
         "gossip::plan: deliver belongs to rounds; in event exchanges on_message is called when a "
         "message arrives." +
             page);
  rounds([](gossip::plan &p) { p.deliver(); },
         "gossip::plan: deliver needs an exchange with on_message(auto &plan, node i, auto const "
         "&message) const." +
             page);
  rounds([](gossip::plan &p) { p.send_to(0, {}, {{1, model_row}}); },
         "gossip::plan: send needs an exchange with on_message(auto &plan, node i, auto const "
         "&message) const." +
             page);
  rounds([](gossip::plan &p) { p.set_timer(0, compute); },
         "gossip::plan: timers belong to event exchanges." + page);
  events([](gossip::plan &p) { p.set_timer(0, compute); },
         "gossip::plan: set_timer needs an exchange with on_timer(auto &plan, node i, "
         "std::uint32_t tag) const." +
             page);
  rounds([](gossip::plan &p) { p.now(); },
         "gossip::plan: now belongs to event exchanges; in rounds each node has a time of its "
         "own." +
             page);
  rounds([](gossip::plan &p) { p.ask(gossip::measured::consensus_distance); },
         "gossip::plan: ask needs an exchange with on_answer(auto &plan, double answer) const." +
             page);
  rounds([](gossip::plan &p) { p.send(0, 1, {{1, model_row}}); },
         "gossip::plan: send needs an exchange with on_message(auto &plan, node i, auto const "
         "&message) const." +
             page);
}

TEST_CASE("a plain plan of identical replicas refuses models of single nodes", "[plan]") {
  struct one_step {
    void on_round(gossip::plan &plan, gossip::round_number) const {
      plan.train_all();
      plan.step(0);
    }
    static constexpr gossip::exchange_properties properties() {
      return {.replicas_identical = true};
    }
  };
  CHECK_THROWS_WITH(plain::plan_briefly(one_step{}),
                    "gossip::plan: an exchange with identical replicas has train and reduce_all; "
                    "step, average, combine and mix_all need one model per node. See "
                    "docs/policies/exchange.md");
}
