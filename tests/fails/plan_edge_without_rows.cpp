// expect: gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

struct mine {
#ifndef GOSSIP_FAILS
  static constexpr std::size_t edge_rows = 1;
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.assign(plan.edge(0, 1), {{1, gossip::model_row}});
  }
};

bool next(gossip::planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
