// All-reduce: the laws of exchanges, and that n nodes are one with n times the batch.
#include <gossip/exchange/all_reduce.hpp>

#include <gossip/data/shards.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/complete.hpp>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;

TEST_CASE("all_reduce keeps the laws of exchanges", "[exchange]") {
  check_exchange(gossip::all_reduce{}, {.one_model = true});
}

TEST_CASE("all-reduce finds the optimum of the sum", "[exchange]") {
  auto const end = settled(gossip::complete{8}, gossip::all_reduce{}, 400);
  CHECK(end.mean(0) == Approx(-0.8).epsilon(1e-12));
}

TEST_CASE("gradient noise falls with the number of nodes that share it", "[exchange]") {
  // Var x = rate / (n (2 - rate)); 90 x 250 values whose variance is known to 1.5 %.
  for (std::size_t const n : {1, 2, 4, 8})
    CHECK(stationary(gossip::complete{n}, gossip::all_reduce{}, 0.2).mean_square ==
          Approx(0.2 / (static_cast<double>(n) * 1.8)).epsilon(0.05));
}

TEST_CASE("n nodes with batch b are one node with batch n b", "[exchange]") {
  // Every node's share is its batch, so that both see all samples in every round.
  constexpr std::size_t n = 17, b = 10;
  auto const train = [&](std::size_t nodes, std::size_t batch) {
    small_simulator network{gossip::complete{nodes},
                            tiny_classifier{},
                            some_optimizer{gossip::sgd{.rate = 0.1, .momentum = 0.9}},
                            gossip::all_reduce{},
                            gossip::cpu{},
                            gossip::numbers<float>{},
                            gossip::full_precision{},
                            gossip::virtual_clock{.compute = gossip::lognormal_time{}}};
    return watched(network, {.batch = batch, .stop = gossip::rounds{20}}, at_the_end,
                   gossip::split(tiny_images(), gossip::iid{}));
  };
  auto const many = train(n, b).seen.back(), one = train(1, n * b).seen.back();
  REQUIRE(tiny_images().size() == n * b);
  // 20 steps, each of sums over 170 samples in another order: a few 1e-7 of values below 1.
  for (std::size_t c = 0; c < tiny_classifier::parameters; ++c)
    CHECK(many.rows[0][c] == Approx(one.rows[0][c]).margin(2e-5));
}
