// expect: gossip::exchange: tolerates_loss is a property; write static constexpr
// expect: gossip::exchange: tolerates_absence is a property; write static constexpr
// expect: gossip::exchange: gradients_alone is a property; write static constexpr
// expect: gossip::exchange: communicates is a property; write static constexpr
// expect: gossip::exchange: when_network_changes is a property; write static constexpr
// expect: gossip::exchange: evaluated is a property; write static constexpr
// expect: gossip::exchange: keeps is a property; write static constexpr
// expect: gossip::exchange: rounds is a property; write static constexpr
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  bool tolerates_loss = true;
  static constexpr bool tolerates_absence = true;
  static constexpr bool gradients_alone() { return true; }
  bool communicates() const { return false; }
  gossip::network_changes when_network_changes = gossip::network_changes::ignored;
  gossip::evaluated_models evaluated = gossip::evaluated_models::servers;
  static constexpr gossip::kept_sums keeps = gossip::kept_sums::rows;
  gossip::exchange_rounds rounds() const { return {.steps = 5}; }
};
#else
struct mine : archetypes::exchange_in_rounds {
  int rounds = 3, evaluated = 1;  // hyper-parameters of these names are no properties
  bool tolerates_loss = true;     // and one that a property follows is not ignored
  constexpr gossip::exchange_properties properties() const {
    return {.tolerates_loss = tolerates_loss,
            .tolerates_absence = true,
            .keeps = gossip::kept_sums::rows,
            .communicates = false,
            .rounds = {.steps = 5}};
  }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
