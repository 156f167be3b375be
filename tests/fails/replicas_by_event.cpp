// expect: gossip::simulator: an exchange with identical replicas must plan rounds
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_trained(auto &plan, gossip::node i) const { plan.train(i); }
};
#else
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.reduce_all();
  }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
