// An exchange of one's own whose neighborhoods take trimmed means, in all engines, and by hand.
#include <gossip/op/neighborhood.hpp>

#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/topology/complete.hpp>

#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::trimmed {

namespace {

struct trimmed_gossip {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    plan.mix_all_by(op::trimmed_mean<1>{}, model_row, plan.weights(k));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
};

}  // namespace

TEST_CASE("trimmed means keep the laws of exchanges", "[exchange]") {
  check_exchange(trimmed_gossip{}, {.keeps_mean = false});
}

// Nodes at 0, 3, 9 on a path: the ends have two numbers, of which none is cut, the middle the
// median of three.
TEST_CASE("trimmed means of a path are those by hand", "[exchange]") {
  CHECK(mixed_numbers(path{3}, trimmed_gossip{}, {0, 3, 9}, 1) == std::vector<double>{1.5, 3, 6});
}

// Of 1, 2, 3, 6 and one far above, 1 and that are cut; with one far below, that and 6.
TEST_CASE("a trimmed mean does not follow one node that is far off", "[exchange]") {
  for (double const away : {1e9, -1e9}) {
    auto const x = mixed_numbers(complete{5}, trimmed_gossip{}, {1, 2, away, 3, 6}, 1);
    for (double const each : x) CHECK(each == Approx(away > 0 ? 11.0 / 3 : 2.0));
  }
}

}  // namespace gossip::test::trimmed
