// expect: gossip::plan: an exchange with identical replicas has train and reduce_all; step,
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

template <class Exchange>
using planner = gossip::planner<Exchange>;

#ifdef GOSSIP_FAILS
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, [[maybe_unused]] gossip::round_number k) const {
    plan.train_all();
    plan.step_all();
  }
};
#else
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, [[maybe_unused]] gossip::round_number k) const {
    plan.train_all();
    plan.reduce_all();
  }
};
#endif

bool next(planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
