// expect: gossip::schedule: the schedule has a check that cannot be called as void check() const
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>

struct mine {
  double factor(double) const { return 1.0; }
#ifdef GOSSIP_FAILS
  void check() {}
#else
  void check() const {}
#endif
};

void check() {
  gossip::scheduled{gossip::sgd{}, mine{}}.check();
}
