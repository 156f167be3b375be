// Options and settings that the simulator does not take.
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class... Options>
using network = gossip::simulator<archetypes::topology, archetypes::model, archetypes::optimizer,
                                  archetypes::exchange_in_rounds, Options...>;

// expect: gossip::simulator: an option is given twice
namespace option_twice {
#ifdef GOSSIP_FAILS
auto const bytes = sizeof(network<gossip::numbers<double>, gossip::numbers<float>>);
#else
auto const bytes = sizeof(network<gossip::numbers<double>, gossip::cpu>);
#endif
}  // namespace option_twice

// expect: gossip::simulator: options are a virtual clock, a backend (serial, cpu, onednn, cuda),
namespace option_unknown {
#ifdef GOSSIP_FAILS
auto const bytes = sizeof(network<double>);
#else
auto const bytes = sizeof(network<gossip::numbers<double>>);
#endif
}  // namespace option_unknown

// expect: gossip::simulator: rows of 16 bits do not travel between ranks with devices
namespace ranks_on_a_device_in_16_bits {
struct many_ranks : gossip::single_process {
  static constexpr bool spans_ranks = true;
};
struct device : gossip::serial {
  static constexpr bool on_device = true;
};

#ifdef GOSSIP_FAILS
auto const bytes = sizeof(network<many_ranks, device, gossip::numbers<float, gossip::bf16>>);
#else
auto const bytes = sizeof(network<many_ranks, device>);
#endif
}  // namespace ranks_on_a_device_in_16_bits

// expect: gossip::run_settings: there is no setting batch_size; write .batch
namespace settings_batch_size {
void run(network<> &network) {
#ifdef GOSSIP_FAILS
  network.run({.batch_size = 32});
#else
  network.run({.batch = 32});
#endif
}
}  // namespace settings_batch_size

// expect: gossip::run_settings: there is no setting epochs or rounds; write .stop =
// gossip::epochs{5}
namespace settings_epochs {
void run(network<> &network) {
#ifdef GOSSIP_FAILS
  network.run({.seed = 2, .epochs = 5});
#else
  network.run({.seed = 2, .stop = gossip::epochs{5}});
#endif
}
}  // namespace settings_epochs

// expect: gossip::run_settings: there is no setting learning_rate or lr; the rate is a member of
// the optimizer: gossip::sgd{.rate = 0.1}
namespace settings_learning_rate {
void run(network<> &network) {
#ifdef GOSSIP_FAILS
  network.run({.learning_rate = 0.1});
#else
  network.run({.seed = 2});
#endif
}
}  // namespace settings_learning_rate
