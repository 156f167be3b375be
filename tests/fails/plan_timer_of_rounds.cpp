// expect: gossip::plan: timers belong to event exchanges
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

struct mine {
#ifdef GOSSIP_FAILS
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.set_timer(0, gossip::virtual_time(1));
  }
#else
  void on_trained(auto &plan, gossip::node i) const {
    plan.step(i);
    plan.set_timer(i, gossip::virtual_time(1));
  }
#endif
  void on_timer(auto &plan, gossip::node i, std::uint32_t) const { plan.train(i); }
};

bool next(gossip::planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
