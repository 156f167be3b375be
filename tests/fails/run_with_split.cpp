// expect: gossip::simulator::run: this model is its own data; call run without a split
#include <gossip/data/iid.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using model = archetypes::model;
template <class Model>
using network_of = gossip::simulator<archetypes::topology, Model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_of<archetypes::model> &network, gossip::dataset const &images) {
  network.run({}, gossip::split(images, gossip::iid{}));
}
#else
void run(network_of<archetypes::model> &network, gossip::dataset const &images) {
  network.run({});
}
#endif
