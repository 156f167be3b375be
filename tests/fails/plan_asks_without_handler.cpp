// expect: gossip::plan: ask needs an exchange with on_answer
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.ask(gossip::measured::accuracy);
  }
#ifndef GOSSIP_FAILS
  void on_answer(auto &plan, double) const { plan.stop(); }
#endif
};

bool next(gossip::planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
