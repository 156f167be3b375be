// expect: gossip::simulator::run: an observer's measure takes the record by value or const,
#include <gossip/simulator/observers.hpp>

struct context {};

struct mine {
#ifdef GOSSIP_FAILS
  void measure(context &, gossip::record r) const { r.set("mine", 1); }
#else
  void measure(context &, gossip::record &r) const { r.set("mine", 1); }
#endif
};

auto const hooks = gossip::detail::make_context_hooks<mine, context>();
