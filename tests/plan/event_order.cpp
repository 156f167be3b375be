// Events at equal times: trainings, messages, timers, late timers, each by node and then as they
// were planned; what an event plans for now comes by the same order among what is left.
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/topology/complete.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using gossip::node;

namespace {

/// Writes down what happens, once all have trained for 10 ms and their messages take no time.
struct diary {
  std::vector<std::string> *lines;

  void on_start(auto &plan) const {
    lines->clear();
    for (node const i : {node{2}, node{0}}) {
      plan.set_timer(i, compute, 1, true);
      plan.set_timer(i, compute, 2);
      plan.set_timer(i, compute, 3);
    }
    for (node const i : {node{1}, node{2}, node{0}}) plan.train(i);
  }
  void on_trained(auto &plan, node i) const {
    note(plan, "trained", i);
    plan.step(i);
    if (i != 2) plan.send_to(i, {2, static_cast<node>(1 - i)}, {{1, gossip::model_row}});
    plan.train(i);
  }
  void on_message(auto &plan, node i, auto const &m) const {
    note(plan, "message of " + std::to_string(m.from) + " at", i);
    if (i == 2 && m.from == 0) plan.set_timer(1, gossip::virtual_time(0), 4);
  }
  void on_timer(auto &plan, node i, std::uint32_t tag) const {
    note(plan, "timer " + std::to_string(tag) + " of", i);
    if (tag == 2 && i == 0) plan.send(0, 1, {{1, gossip::model_row}});
  }

 private:
  void note(auto const &plan, std::string const &what, node i) const {
    if (plan.now() == compute) lines->push_back(what + " " + std::to_string(i));
  }
};

}  // namespace

TEST_CASE("events of equal times come by kind, node and the order of plans", "[plan]") {
  std::vector<std::string> lines;
  whole_plan_of(diary{&lines}, gossip::complete{3}.build(), rounds_of(3, 2));
  CHECK(lines == std::vector<std::string>{"trained 0", "trained 1", "trained 2",  //
                                          "message of 1 at 0", "message of 0 at 1",
                                          "message of 0 at 2",                                  //
                                          "message of 1 at 2",                                  //
                                          "timer 2 of 0", "message of 0 at 1", "timer 3 of 0",  //
                                          "timer 4 of 1", "timer 2 of 2", "timer 3 of 2",       //
                                          "timer 1 of 0", "timer 1 of 2"});
}
