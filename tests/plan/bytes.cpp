// Bytes that a plan sends: counters against closed forms.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include "plans.hpp"

using namespace gossip::test;
using gossip::mixing_order;

namespace {

template <class Exchange>
std::uint64_t bytes_of(Exchange const &exchange, gossip::graph const &g, std::uint64_t rounds) {
  return whole_plan_of(exchange, g, rounds_of(g.nodes(), rounds)).end.bytes_sent;
}

/// The mean of all models, every round.
struct mean_of_all {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.average_all();
  }
};

}  // namespace

TEST_CASE("D-PSGD sends one model along every arc a round", "[plan]") {
  for (auto const order : {mixing_order::combine_then_adapt, mixing_order::adapt_then_combine}) {
    gossip::d_psgd<> const exchange{.order = order};
    CHECK(bytes_of(exchange, gossip::ring{8}.build(), 5) == 5 * 8 * 2 * 1000);
    CHECK(bytes_of(exchange, gossip::star{5}.build(), 5) == 5 * 8 * 1000);
    CHECK(bytes_of(exchange, gossip::ring{1}.build(), 5) == 0);
  }
}

TEST_CASE("AD-PSGD sends two models a node-iteration", "[plan]") {
  CHECK(bytes_of(gossip::ad_psgd{}, gossip::ring{8}.build(), 5) == 5 * 8 * 2 * 1000);
  CHECK(bytes_of(gossip::ad_psgd{}, gossip::ring{1}.build(), 5) == 0);
}

TEST_CASE("all-reduce sends 2 (n - 1) / n of a model a node and round", "[plan]") {
  for (std::size_t const n : {1, 2, 3, 4, 5, 7, 8, 9})
    CHECK(bytes_of(gossip::all_reduce{}, gossip::complete{n}.build(), 5) == 5 * 2 * (n - 1) * 1000);
}

TEST_CASE("a mean of all models sends 2 (n - 1) / n of a model a node and round", "[plan]") {
  for (std::size_t const n : {1, 2, 3, 4, 5, 7, 8, 9})
    CHECK(bytes_of(mean_of_all{}, gossip::complete{n}.build(), 5) == 5 * 2 * (n - 1) * 1000);
}

TEST_CASE("nodes alone send nothing", "[plan]") {
  CHECK(bytes_of(gossip::none{}, gossip::complete{8}.build(), 5) == 0);
}
