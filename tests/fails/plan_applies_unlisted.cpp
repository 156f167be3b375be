// expect: gossip::plan: an exchange that applies functions of its own must list them
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

struct twice {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] += x[0];
  }
};

struct mine {
#ifndef GOSSIP_FAILS
  using functions = gossip::column_functions<twice>;
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.template apply<twice>(0, {gossip::model_row});
  }
};

bool next(gossip::planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
