// expect: gossip::plan: apply changes rows of one node
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

struct both {
  static constexpr std::size_t rows = 2, coefficients = 0;
#ifdef GOSSIP_FAILS
  static constexpr std::uint32_t reads = 0b11, writes = 0b11;
#else
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;
#endif

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = x[1] = x[0] + x[1];
  }
};

struct mine {
  using functions = gossip::column_functions<both>;
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.template apply<both>(0, {gossip::model_row}, 1, gossip::model_row);
  }
};

bool next(gossip::planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
