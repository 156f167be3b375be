// Splits and topologies that are refused, and models with the data of others.
#include <gossip/data/iid.hpp>
#include <gossip/data/split.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using classifier = gossip::sequential<gossip::input<1, 1, 2>, gossip::dense<2>>;

template <class Model>
using network_of = gossip::simulator<archetypes::topology, Model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds>;

// expect: gossip::simulator::run: this model is its own data; call run without a split
namespace run_with_split {
void run(network_of<archetypes::model> &network, gossip::dataset const &images) {
#ifdef GOSSIP_FAILS
  network.run({}, gossip::split(images, gossip::iid{}));
#else
  network.run({});
#endif
}
}  // namespace run_with_split

// expect: gossip::simulator::run: this model learns from samples; give run a split(train, iid{})
namespace run_without_split {
void run(network_of<classifier> &network, gossip::dataset const &images) {
#ifdef GOSSIP_FAILS
  network.run({});
#else
  network.run({}, gossip::split(images, gossip::iid{}));
#endif
}
}  // namespace run_without_split

// expect: gossip::split: the policy must have partition assign(span<uint16_t const> labels, size_t
namespace split_without_assign {
#ifdef GOSSIP_FAILS
struct policy {};
#else
using policy = archetypes::split_policy;
#endif
auto const bytes = sizeof(gossip::split<policy>);
}  // namespace split_without_assign

// expect: gossip::simulator: the topology must have graph build(uint64_t seed) const
namespace topology_without_graph {
#ifdef GOSSIP_FAILS
struct mine {
  std::size_t nodes = 4;
};
#else
using mine = archetypes::topology;
#endif
using network = gossip::simulator<mine, archetypes::model, archetypes::optimizer,
                                  archetypes::exchange_in_rounds>;
auto const bytes = sizeof(network);
}  // namespace topology_without_graph
