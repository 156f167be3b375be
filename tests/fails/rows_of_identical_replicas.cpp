// expect: gossip::simulator: an exchange with identical replicas cannot work on rows besides the
// model
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

struct mine {
#ifdef GOSSIP_FAILS
  static constexpr std::size_t rows = 1;
#endif
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.reduce_all();
  }
};

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
