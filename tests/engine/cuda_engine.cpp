// Networks on a GPU against the serial oracle.
#include <cmath>

#include <gossip/backend/cuda.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/cpu_offload.hpp>
#include <gossip/simulator/options.hpp>

#include "../catch.hpp"
#include "final_rows.hpp"
#include "small_network.hpp"

static_assert(gossip::cuda::worker::on_gpu);  // models of the host check it

using namespace gossip;

namespace {

// Six steps of at most 0.1 times a gradient whose sums differ in order: the relative error of a sum
// of 64 float products is below 64 * 2^-24 = 4e-6; losses of order one agree to 1e-4 after that.
template <class Optimizer>
void check_close(any_exchange const &exchange, Optimizer optimizer) {
  auto const device = test::run_small_network(exchange, optimizer, gossip::cuda{});
  auto const host = test::run_small_network(exchange, optimizer, serial{});
  CHECK(device.last.loss == Approx(host.last.loss).epsilon(1e-4));
  CHECK(*device.last.test_loss == Approx(*host.last.test_loss).epsilon(1e-4));
  CHECK(*device.last.consensus_distance ==
        Approx(*host.last.consensus_distance).epsilon(1e-3).margin(1e-9));
  CHECK(device.bytes_sent == host.bytes_sent);
  CHECK(device.virtual_seconds == host.virtual_seconds);
}

}  // namespace

TEST_CASE("a network on the GPU agrees with the serial backend", "[gpu]") {
  check_close(none{}, sgd{.rate = 0.1});
  check_close(all_reduce{}, sgd{.rate = 0.1, .momentum = 0.9});
  check_close(d_psgd{}, sgd{.rate = 0.1, .momentum = 0.9});
  check_close(d_psgd{.order = mixing_order::adapt_then_combine}, adam{.rate = 0.01});
  check_close(ad_psgd{}, sgd{.rate = 0.1, .momentum = 0.9});
}

TEST_CASE("scalars on the GPU agree with those of the serial backend", "[gpu]") {
  check_close(clipped_gossip{.radius = 0.05}, sgd{.rate = 0.1, .momentum = 0.9});
  check_close(sam_d_psgd{}, sgd{.rate = 0.1});
}

// A gradient's sums have at most 36 * 64 terms: in another order they differ by some sqrt(36 * 64)
// times 2^-24 of their size, 3e-6, and so does what twenty of them move; a factor of thirty for
// rectifiers and pooling windows that meet a tie. TF32 rounds both factors by up to 2^-11 and takes
// a thousandth of the rectifiers across their tie: 0.001 and sqrt(0.001) of a gradient.
TEST_CASE("parameters after twenty steps on a GPU are the host's to rounding", "[gpu]") {
  any_exchange const exchange = d_psgd{};
  sgd const heavy{.rate = 0.05, .momentum = 0.9};
  gossip::cuda const gpu, coarse{.multiply = multiplication::tf32};
  CHECK(test::apart_after_20_steps<test::small_model>(exchange, heavy, gpu) < 1e-4);
  CHECK(test::apart_after_20_steps<test::normalised_model>(exchange, heavy, gpu) < 1e-4);
  CHECK(test::apart_after_20_steps<test::small_model>(exchange, heavy, coarse) < 0.1);
}

// The same kernels, though of other numbers of nodes at a time: see above.
TEST_CASE("a GPU for rows in memory of the host agrees with one that has them", "[gpu]") {
  auto const trained = [](auto const &network) {
    return network
        .run({.seed = 3, .batch = 70, .stop = rounds{6}}, split(test::small_images(), iid{}),
             accuracy{test::small_images(), {.nodes = 5}}, consensus_distance{})
        .last;
  };
  auto const offloaded = [](std::size_t bytes) {
    // quote offload
    gossip::simulator network{gossip::random_regular{.nodes = 12, .degree = 3},
                              gossip::cpu_offload(test::small_model{}, gossip::cuda{}, bytes),
                              gossip::sgd{.rate = 0.1, .momentum = 0.9}, gossip::d_psgd{},
                              gossip::cpu{}};
    // end quote
    return network;
  };
  auto const device =
      trained(simulator{random_regular{.nodes = 12, .degree = 3}, test::small_model{},
                        sgd{.rate = 0.1, .momentum = 0.9}, d_psgd{}, gossip::cuda{}});
  auto const host = trained(offloaded(std::size_t{1} << 30));
  CHECK(host.loss == Approx(device.loss).epsilon(1e-4));
  CHECK(*host.test_loss == Approx(*device.test_loss).epsilon(1e-4));
  CHECK(*host.consensus_distance == Approx(*device.consensus_distance).epsilon(1e-3).margin(1e-9));
  CHECK_THROWS_AS(trained(offloaded(1'000'000)), input_error);
}

TEST_CASE("the GPU repeats itself", "[gpu]") {
  auto const digest = [] {
    return hex(test::run_small_network(any_exchange(ad_psgd{}), sgd{.rate = 0.1, .momentum = 0.9},
                                       gossip::cuda{})
                   .digest);
  };
  CHECK(digest() == digest());
}

// Numbers near the middle of two of 16 bits round the other way after other sums; a hundredth of a
// loss is what six steps of fp16's or bf16's rounding may make of it.
TEST_CASE("16 bits train on a GPU as on the host", "[gpu]") {
  auto const loss = [](auto backend, auto... options) {
    simulator network{random_regular{.nodes = 12, .degree = 3},
                      test::small_model{},
                      sgd{.rate = 0.05, .momentum = 0.9},
                      d_psgd{},
                      backend,
                      options...};
    return network
        .run({.seed = 3, .batch = 70, .stop = rounds{6}}, split(test::small_images(), iid{}))
        .last.loss;
  };
  auto const check = [&](auto... options) {
    CHECK(loss(gossip::cuda{}, options...) == Approx(loss(serial{}, options...)).epsilon(0.01));
  };
  check(mixed_precision<fp16>{});
  check(mixed_precision<bf16>{});
  check(numbers<float, bf16>{}, mixed_precision<bf16>{});
}
