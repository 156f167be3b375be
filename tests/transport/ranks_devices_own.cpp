// The verbs that the library's exchanges leave out, on many ranks that have a device each.
#include <gossip/exchange/power_gossip.hpp>
#include <gossip/topology/complete.hpp>

#include "../exchange/edge_exchanges.hpp"
#include "../exchange/fragment_exchanges.hpp"
#include "../exchange/late_reduce.hpp"
#include "../exchange/matching_exchanges.hpp"
#include "../exchange/message_exchanges.hpp"
#include "../exchange/row_exchanges.hpp"
#include "../exchange/scalar_exchanges.hpp"
#include "../exchange/sum_exchanges.hpp"
#include "../exchange/whole_row_exchanges.hpp"
#include "devices.hpp"
#include "own_exchanges.hpp"

using namespace gossip;

namespace gossip::test {

/// Mixes all nodes with each other, whatever the graph: more rows come than a rank expects.
struct strays {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.mix_all(plan.weights(k));
    plan.step_all();
  }
  mixing_matrix weights(graph const &g) const {
    return metropolis_hastings{}.weights(complete{.nodes = g.nodes()}.build(0));
  }
};

}  // namespace gossip::test

TEST_CASE("combine crosses ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::pulls{});
}

TEST_CASE("rows with many readers cross ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::stars{});
}

TEST_CASE("chains of averages and mixtures in a row cross ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::chains{});
}

TEST_CASE("mixtures of more rows than a rank with a device has room for", "[ranks]") {
  test::check_crossings_of_verbs(test::strays{});
}

TEST_CASE("pairs of rows besides the models cross ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::pairs_of_rows{});
}

TEST_CASE("mixtures of rows besides the models cross ranks with devices", "[ranks]") {
  test::check_crossings(test::mixtures_of_rows{});
}

TEST_CASE("mixtures and means of fragments cross ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::mixtures_of_fragments{});
}

TEST_CASE("sums of gradients that outlive a window, on ranks with devices", "[ranks]") {
  test::check_devices(test::late_reduce{});
}

TEST_CASE("messages and servers cross ranks with devices", "[ranks]") {
  test::check_crossings(test::letters{});
  test::check_crossings_of_verbs(test::rounds_of_letters{});
}

TEST_CASE("scalars of pairs of nodes on ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::scalars_by_event{});
}

TEST_CASE("scalars before and behind mixtures on ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::scalars_in_rounds{});
}

TEST_CASE("sums over nodes of all ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::sums_of_rows{});
}

TEST_CASE("rows of edges on ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::edges_by_event{});
}

TEST_CASE("fragments and messages of several rows on ranks with devices", "[ranks]") {
  test::check_crossings(test::fragments_by_event{});
  test::check_crossings_of_verbs(test::push_sum_of_two{});
}

TEST_CASE("another matrix in every round on ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::random_matchings{});
}

TEST_CASE("whole rows on ranks with devices", "[ranks]") {
  test::check_crossings_of_verbs(test::whole_rows_by_event{});
  test::check_crossings_of_verbs(test::whole_rows_in_rounds{});
  test::check_crossings_of_verbs(power_gossip{});
}
