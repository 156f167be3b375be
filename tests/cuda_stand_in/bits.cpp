// The GPU backend has the bits of the reference engine, whatever is exchanged, optimized and
// rounded, where convolutions are products there too: the stand-in adds in the same order.
#include <gossip/backend/cuda.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/op/product_layers.hpp>
#include <gossip/simulator/cpu_offload.hpp>

#include "../exchange/conformance.hpp"
#include "../transport/own_exchanges.hpp"

using namespace gossip;
using test::some_optimizer;

namespace {

/// The serial backend with convolutions as products and sums over rows as a team has them.
struct serial_products : serial {
  struct worker : op::product_layers<worker> {
    static constexpr std::size_t lane_step = 1;

    worker() = default;
    explicit worker(serial_products const &) {}

    template <class F>
    void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
      serial::worker{}.for_each(k, rows, lanes, f);
    }
    template <class F>
    void for_each_row(std::size_t k, std::size_t rows, F f) const {
      for_each(k, rows, 1, [f](std::size_t j, std::size_t row, std::size_t) {
        f.by_team(op::one_thread{}, j, row);
      });
    }
    template <class T>
    void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
              matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
      serial::worker{}.gemm<T>(k, s, a, b, beta, c);
    }
  };
};

/// Chunks of a batch, of a classifier with convolutions, normalisation, dropout and a residual.
run_settings chunks(bool on_device) {
  return {.seed = 3,
          .batch = 70,
          .stop = rounds{6},
          .engine = on_device ? execution::levelled : execution::reference};
}

template <class Model = test::normalised_classifier, class... Options>
void check_bits(test::some_exchange const &exchange, some_optimizer const &optimizer,
                Options... options) {
  auto const data = split(test::tiny_images(), iid{});
  for (std::size_t const n : {1, 3, 17}) {
    auto const run = [&](auto backend) {
      simulator network{test::fan{n},     Model{},
                        optimizer,        exchange,
                        backend,          virtual_clock{.compute = lognormal_time{.cv = 0.3}},
                        with_reference{}, options...};
      return test::watched(network, chunks(backend.on_device), 2.0, data);
    };
    CAPTURE(n, optimizer.kind.index());
    check_same(run(serial_products{}), run(gossip::cuda{}));
  }
}

void check_optimizers(test::some_exchange const &exchange) {
  for (some_optimizer const &optimizer : test::optimizers()) check_bits(exchange, optimizer);
}

}  // namespace

TEST_CASE("D-PSGD on a GPU has the bits of the reference engine", "[gpu]") {
  check_optimizers(d_psgd{});
  check_optimizers(d_psgd{.order = mixing_order::adapt_then_combine});
}

TEST_CASE("AD-PSGD on a GPU has the bits of the reference engine", "[gpu]") {
  check_optimizers(ad_psgd{});
}

TEST_CASE("all-reduce on a GPU has the bits of the reference engine", "[gpu]") {
  check_optimizers(all_reduce{});
}

TEST_CASE("averages, mixtures and combinations in a row have them too", "[gpu]") {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  check_bits(test::chains{}, heavy);
  check_bits(test::pulls{}, heavy);
}

TEST_CASE("16 bits on a GPU are those of the reference engine", "[gpu]") {
  some_optimizer const heavy{sgd{.rate = 0.05, .momentum = 0.9}};
  check_bits(ad_psgd{}, heavy, mixed_precision<fp16>{.loss_scale = 0x1p24});
  check_bits(d_psgd{}, heavy, numbers<float, bf16>{}, mixed_precision<bf16>{});
}

// Three threads of the host have a stream each.
TEST_CASE("gradients of a GPU for rows of the host have the bits of the reference engine",
          "[gpu]") {
  auto const data = split(test::tiny_images(), iid{});
  std::size_t nodes = 17;
  auto const check = [&](test::some_exchange const &exchange, auto precision, auto... options) {
    auto const run = [&](auto model, auto backend, bool on_device, auto... more) {
      simulator network{
          test::fan{nodes}, model,   sgd{.rate = 0.05, .momentum = 0.9},
          exchange,         backend, virtual_clock{.compute = lognormal_time{.cv = 0.3}},
          options...,       more...};
      return test::watched(network, chunks(on_device), 2.0, data);
    };
    test::normalised_classifier const model{};
    check_same(run(model, serial_products{}, false, with_reference{}, precision),
               run(cpu_offload(model, gossip::cuda{}, std::size_t{1} << 30, precision),
                   cpu{.threads = 3}, true));
  };
  check(d_psgd{}, full_precision{});
  check(ad_psgd{}, full_precision{});
  check(all_reduce{}, full_precision{});
  check(ad_psgd{}, mixed_precision<fp16>{.loss_scale = 0x1p24});
  check(d_psgd{}, mixed_precision<bf16>{}, numbers<float, bf16>{});
  nodes = 150;  // three a stream
  check(ad_psgd{}, mixed_precision<fp16>{.loss_scale = 0x1p24});
}

// A number beyond a row is one of the next node, or of nobody.
TEST_CASE("rows without room between them have them too", "[gpu]") {
  using full = sequential<input<1, 4, 4>, dense<16>>;
  static_assert(full::parameters % 16 == 0);
  check_bits<full>(d_psgd{}, {sgd{.rate = 0.1}});
}
