// The simulator needs no more of its policies than their contracts say.
#include <gossip/simulator/simulator.hpp>

#include <gossip/data/synthetic.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

#include "../archetypes.hpp"
#include "../catch.hpp"

namespace archetypes = gossip::test::archetypes;

namespace {

template <class Exchange>
gossip::run_report run(Exchange const &exchange, gossip::execution engine) {
  gossip::simulator network{archetypes::topology{},
                            archetypes::model{},
                            archetypes::optimizer{},
                            exchange,
                            gossip::virtual_clock{.compute = archetypes::compute_time{}},
                            gossip::with_reference{}};
  return network.run({.stop = gossip::rounds{3}, .engine = engine}, archetypes::begins{},
                     archetypes::measures{}, archetypes::takes{}, archetypes::ticks{},
                     gossip::every(gossip::rounds{1}, archetypes::ends{}, archetypes::measures{}));
}

}  // namespace

TEST_CASE("the poorest models of all concepts make a network", "[simulator]") {
  auto const rounds = run(archetypes::exchange_in_rounds{}, gossip::execution::levelled);
  CHECK(rounds.node_iterations == 6);
  CHECK(rounds.virtual_seconds == Approx(3e-9));
  auto const events = run(archetypes::exchange_by_events{}, gossip::execution::levelled);
  CHECK(events.digest == rounds.digest);  // both halve a 1 three times
  CHECK(run(archetypes::exchange_in_rounds{}, gossip::execution::reference).digest ==
        rounds.digest);
}

TEST_CASE("a run needs no observers", "[simulator]") {
  gossip::simulator network{archetypes::topology{}, archetypes::model{}, archetypes::optimizer{},
                            archetypes::exchange_by_events{}};
  CHECK(network.run({.stop = gossip::rounds{3}}).node_iterations == 6);
}

TEST_CASE("the poorest split feeds a classifier", "[simulator]") {
  auto const images = gossip::synthetic{.samples = 6, .shape = {1, 1, 2}, .classes = 2}.build();
  gossip::simulator network{archetypes::topology{},
                            gossip::sequential<gossip::input<1, 1, 2>, gossip::dense<2>>{},
                            archetypes::optimizer{}, archetypes::exchange_in_rounds{}};
  auto const report = network.run({.batch = 2, .stop = gossip::epochs{2}},
                                  gossip::split(images, archetypes::split_policy{}));
  CHECK(report.node_iterations == 6);
}
