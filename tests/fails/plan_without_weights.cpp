// expect: gossip::plan: weights needs an exchange with mixing_matrix weights(graph const &) const
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

template <class Exchange>
using planner = gossip::planner<Exchange>;

#ifdef GOSSIP_FAILS
struct mine {
  void on_round(auto &plan, [[maybe_unused]] gossip::round_number k) const {
    plan.train_all();
    plan.mix_all(plan.weights(k));
  }
};
#else
struct mine {
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
  void on_round(auto &plan, [[maybe_unused]] gossip::round_number k) const {
    plan.train_all();
    plan.mix_all(plan.weights(k));
  }
};
#endif

bool next(planner<mine> &plan, gossip::plan_window &window) {
  return plan.next(window);
}
