// expect: gossip::simulator::run: this model learns from samples; give run a split(train, iid{})
#include <gossip/data/iid.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using classifier = gossip::sequential<gossip::input<1, 1, 2>, gossip::dense<2>>;

using model = classifier;
template <class Model>
using network_of = gossip::simulator<archetypes::topology, Model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_of<classifier> &network, gossip::dataset const &images) {
  network.run({});
}
#else
void run(network_of<classifier> &network, gossip::dataset const &images) {
  network.run({}, gossip::split(images, gossip::iid{}));
}
#endif
