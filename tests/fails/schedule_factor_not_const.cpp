// expect: gossip::scheduled: the schedule must have double factor(double epoch) const
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>

struct mine {
#ifdef GOSSIP_FAILS
  double factor(double) { return 1.0; }
#else
  double factor(double) const { return 1.0; }
#endif
};

auto const bytes = sizeof(gossip::scheduled<gossip::sgd, mine>);
