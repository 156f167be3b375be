// Arguments of run that are no observers, or none of this model.
#include <gossip/data/iid.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using classifier = gossip::sequential<gossip::input<1, 1, 2>, gossip::dense<2>>;

template <class Model>
using network_of = gossip::simulator<archetypes::topology, Model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds>;

// expect: gossip::every: the period must have a unit and stand first: every(epochs{1}, ...) or
// every(rounds
namespace every_without_unit {
#ifdef GOSSIP_FAILS
auto const often = gossip::every(5, gossip::consensus_distance{});
#else
auto const often = gossip::every(gossip::rounds{5}, gossip::consensus_distance{});
#endif
}  // namespace every_without_unit

// expect: gossip::simulator::run: an observer's measure takes the record by value or const,
namespace observer_measures_a_copy {
struct context {};

struct mine {
#ifdef GOSSIP_FAILS
  void measure(context &, gossip::record r) const { r.set("mine", 1); }
#else
  void measure(context &, gossip::record &r) const { r.set("mine", 1); }
#endif
};
auto const hooks = gossip::detail::make_context_hooks<mine, context>();
}  // namespace observer_measures_a_copy

// expect: gossip::simulator::run: an argument has no hook of an observer (begin, measure, take,
namespace observer_without_hook {
struct misspelled {
  void takes(gossip::record const &) {}
};

void run(network_of<archetypes::model> &network, gossip::dataset const &images) {
#ifdef GOSSIP_FAILS
  network.run({}, misspelled{});
#else
  network.run({}, archetypes::takes{});
#endif
}
}  // namespace observer_without_hook
