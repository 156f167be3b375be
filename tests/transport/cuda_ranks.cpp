// Ranks with a GPU each, or sharing one: mpirun runs this program with 1, 2 and 3 processes.
#include <gossip/backend/cuda.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/options.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include "../catch.hpp"
#include "../engine/small_network.hpp"

using namespace gossip;

namespace {

mpi_ranks const &all_ranks() {
  static mpi_ranks const ranks;
  return ranks;
}

template <class Model, class... Options>
run_report trained(any_exchange const &exchange, Options... options) {
  simulator network{random_regular{.nodes = 12, .degree = 3},
                    Model{},
                    sgd{.rate = 0.1, .momentum = 0.9},
                    exchange,
                    gossip::cuda{},
                    options...};
  return network.run(
      {.seed = 3, .batch = 70, .stop = rounds{6}}, split(test::small_images(), iid{}),
      every(rounds{2}, accuracy{test::small_images(), {.nodes = 5}}), consensus_distance{});
}

// A cohort of another size may be multiplied in another order: see cuda_engine.cpp.
template <class Model>
void check_ranks(any_exchange const &exchange) {
  run_report const one = trained<Model>(exchange), many = trained<Model>(exchange, all_ranks());
  CHECK(many.last.loss == Approx(one.last.loss).epsilon(1e-4));
  CHECK(*many.last.test_loss == Approx(*one.last.test_loss).epsilon(1e-4));
  CHECK(*many.last.consensus_distance ==
        Approx(*one.last.consensus_distance).epsilon(1e-3).margin(1e-9));
#if defined(GOSSIP_CUDA_STAND_IN)  // whose sums have one order
  CHECK(hex(many.digest) == hex(one.digest));
#endif
  CHECK(many.bytes_sent == one.bytes_sent);
  communication_report const &traffic = many.traffic;
  CHECK(traffic.rows == (all_ranks().reads_device_memory() ? row_path::direct : row_path::pinned));
  CHECK(traffic.ranks_a_device >= 1);
  CHECK(traffic.ranks_a_device <= all_ranks().local_size());
  if (traffic.bytes_sent > 0 && traffic.rows == row_path::pinned) CHECK(traffic.copies_down > 0);
}

}  // namespace

TEST_CASE("ranks with GPUs train as one process with a GPU does", "[gpu][ranks]") {
  check_ranks<test::small_model>(d_psgd{});
  check_ranks<test::normalised_model>(d_psgd{.order = mixing_order::adapt_then_combine});
  check_ranks<test::small_model>(ad_psgd{});
  check_ranks<test::small_model>(all_reduce{});
}

TEST_CASE("ranks with GPUs repeat themselves in rounds, where cohorts are the same",
          "[gpu][ranks]") {
  auto const digest = [] { return hex(trained<test::small_model>(d_psgd{}, all_ranks()).digest); };
  CHECK(digest() == digest());
}
