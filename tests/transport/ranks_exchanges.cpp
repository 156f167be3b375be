// The library's exchanges on many ranks.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>

#include "ranks.hpp"

TEST_CASE("none gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::none{});
}

TEST_CASE("all_reduce gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::all_reduce{});
}

TEST_CASE("d_psgd gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::d_psgd{});
}

TEST_CASE("ad_psgd gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::ad_psgd{});
}

TEST_CASE("the other orders give the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks_of_classifier(
      gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine});
  gossip::test::check_ranks_of_classifier(gossip::d_psgd<>{.point = gossip::gradient_point::mixed});
}

TEMPLATE_TEST_CASE("what is sent between ranks is what the plan counts", "[ranks]", float,
                   gossip::bf16) {
  using namespace gossip;
  simulator network{
      ring{24},          quadratic<1000>{},          sgd{.rate = 0.1},  ad_psgd{},
      cpu{.threads = 1}, numbers<float, TestType>{}, test::all_ranks(),
  };
  communication_report const traffic = network.run({.stop = rounds{20}}).traffic;
  CHECK(traffic.bytes_sent == traffic.planned_bytes);
  CHECK((traffic.bytes_sent > 0) == (test::all_ranks().size() > 1));
  CHECK(traffic.bytes_sent % (1000 * sizeof(TestType)) == 0);
  CHECK(traffic.imbalance >= 1);
  CHECK(traffic.most_uneven.imbalance >= 1);
  CHECK(traffic.most_uneven.window >= 1);
  CHECK(traffic.most_uneven.trainings >= 1);
  CHECK(traffic.levels > 20);
  CHECK(traffic.most_awaited.seconds <= traffic.most_waiting_seconds);
  CHECK(traffic.most_awaited.rank < test::all_ranks().size());
  CHECK((traffic.most_awaited.window > 0) == (traffic.most_waiting_seconds > 0));
  CHECK(traffic.planning_seconds > 0);
  CHECK(traffic.planning_seconds <= traffic.most_planning_seconds);
  CHECK(traffic.most_nodes == (24 + test::all_ranks().size() - 1) / test::all_ranks().size());
}
