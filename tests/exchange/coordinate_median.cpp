// An exchange of one's own whose neighborhoods take medians instead of means.
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/topology/star.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

struct median_gossip {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    plan.mix_all_by(op::coordinate_median{}, model_row, plan.weights(k));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
};

// Node i starts at its own number, and then nobody learns.
template <class Topology>
std::vector<double> rounds_of_medians(Topology const &topology, std::vector<double> const &start,
                                      std::uint64_t count) {
  return mixed_numbers(topology, median_gossip{}, start, count);
}

}  // namespace

TEST_CASE("coordinate median keeps the laws of exchanges", "[exchange]") {
  check_exchange(median_gossip{}, {.keeps_mean = false});
}

// Nodes at 0, 3, 9: medians of {0,3}, {0,3,9}, {3,9} are 1.5, 3, 6, taken at once. One after
// another they would be 1.5, 3, 6 too; so the second round, of {1.5,3}, {1.5,3,6}, {3,6}: 2.25,
// 3, 4.5.
TEST_CASE("medians on a path of three nodes are those by hand", "[exchange]") {
  CHECK(rounds_of_medians(path{3}, {0, 3, 9}, 1) == std::vector<double>{1.5, 3, 6});
  CHECK(rounds_of_medians(path{3}, {0, 3, 9}, 2) == std::vector<double>{2.25, 3, 4.5});
  // One after another the second node would find 2 where the first was: 2, 2, 3. At once it
  // finds 4.
  CHECK(rounds_of_medians(path{3}, {4, 0, 6}, 1) == std::vector<double>{2, 4, 3});
}

TEST_CASE("a median does not follow one node that is far off", "[exchange]") {
  auto const x = rounds_of_medians(star{5}, {1, 2, 1e9, 3, 2}, 1);
  CHECK(x[0] == 2);
}
