// expect: gossip::plan: send needs an exchange with on_message
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.send(0, 1, {{1, gossip::model_row}});
  }
#ifndef GOSSIP_FAILS
  void on_message(auto &, gossip::node, auto const &) const {}
#endif
};

bool next(gossip::planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
