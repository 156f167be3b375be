// The levelled engine against the reference engine where the conformance suite of exchanges does
// not go: several matrices a round, narrow tiles, networks without exchange of the usual kind.
#include <gossip/engine/host/levelled.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/ring.hpp>

#include "../exchange/conformance.hpp"
#include "../plan/exchanges.hpp"

using namespace gossip::test;

namespace {

// Two mixtures in one round, the second by other weights.
struct two_mixtures {
  gossip::mixing_matrix first, second;

  explicit two_mixtures(std::size_t nodes)
      : first(gossip::metropolis_hastings{}.weights(fan{nodes}.build(0))),
        second(gossip::uniform_neighbor{}.weights(gossip::ring{nodes}.build())) {}

  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.mix_all(first);
    plan.mix_all(second);
    plan.step_all();
  }
};

void check_engines(some_exchange const &exchange, std::size_t nodes) {
  auto const run = [&](gossip::execution engine, std::size_t threads) {
    small_simulator network{fan{nodes}, gossip::quadratic<600>{.optimum = {1, 2, 3}},
                            gossip::sgd{.rate = 0.1, .momentum = 0.9}, exchange,
                            gossip::cpu{.threads = threads}};
    return watched(network, {.stop = gossip::rounds{5}, .engine = engine}, at_the_end);
  };
  auto const expected = run(gossip::execution::reference, 1);
  check_same(expected, run(gossip::execution::levelled, 1));
  check_same(expected, run(gossip::execution::levelled, 2));
}

}  // namespace

TEST_CASE("each mixture of a round has its own weights", "[engine]") {
  check_engines(two_mixtures{5}, 5);
}

TEST_CASE("a thousand nodes mix in tiles that fit a cache, with the same bits", "[engine]") {
  check_engines(gossip::d_psgd<>{}, 1000);
}

TEST_CASE("one-sided combines are executed as planned", "[engine]") {
  check_engines(pull_twice{}, 17);
  check_engines(read_round{}, 17);
}

TEST_CASE("rounds of several steps and rounds of some nodes are executed as planned", "[engine]") {
  check_engines(two_a_round{}, 3);
  check_engines(even_nodes{}, 17);
}
