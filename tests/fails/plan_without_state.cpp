// expect: gossip::plan: state needs an exchange with struct node_state
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

template <class Exchange>
using planner = gossip::planner<Exchange>;

#ifdef GOSSIP_FAILS
struct mine {
  void on_round(auto &plan, [[maybe_unused]] gossip::round_number k) const {
    plan.train_all();
    ++plan.state(0).count;
  }
};
#else
struct mine {
  struct node_state {
    int count = 0;
  };
  void on_round(auto &plan, [[maybe_unused]] gossip::round_number k) const {
    plan.train_all();
    ++plan.state(0).count;
  }
};
#endif

bool next(planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
