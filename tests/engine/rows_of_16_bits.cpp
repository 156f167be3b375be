// Rows in 16 bits that are rounded at random.
#include <gossip/engine/row_rounding.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "small_network.hpp"

using namespace gossip::test;
using gossip::bf16;
using gossip::execution;
using gossip::fp16;
using gossip::numbers;

namespace {

/// Rows of fp16 are refused where an optimizer may be Adam.
template <class Numbers, class Model, class Optimizer, class Precision>
gossip::run_report run(Numbers kept, Model model, some_exchange const &exchange,
                       Optimizer const &optimizer, std::size_t threads, execution engine,
                       Precision precision) {
  some_topology const topology = gossip::random_regular{.nodes = 12, .degree = 3};
  gossip::cpu const loops{.threads = threads};
  auto network = [&] {
    if constexpr (std::is_same_v<Numbers, numbers<float, fp16>>)
      return gossip::simulator{topology, model, optimizer, exchange,
                               loops,    kept,  precision, gossip::with_reference{}};
    else
      return small_simulator{topology, model, optimizer, exchange, loops, kept, precision};
  }();
  return network.run(
      {.seed = 3, .batch = 70, .stop = gossip::rounds{6}, .engine = engine},
      gossip::split(small_images(), gossip::iid{}),
      gossip::every(gossip::rounds{3}, gossip::accuracy{small_images(), {.nodes = 5}},
                    gossip::consensus_distance{}));
}

/// The mean and the spread of the columns of node 0.
struct look_at_columns {
  double *mean, *deviation;
  template <class Context>
  void measure(Context &context, gossip::record &) {
    auto const *const row = context.rows().parameters(0);
    double const d = static_cast<double>(context.size().parameters);
    double sum = 0, squares = 0;
    for (std::size_t c = 0; c < context.size().parameters; ++c) {
      double const x = static_cast<double>(row[c]);
      sum += x;
      squares += x * x;
    }
    *mean = sum / d;
    *deviation = std::sqrt(squares / d - *mean * *mean);
  }
};

}  // namespace

TEMPLATE_TEST_CASE("rows of 16 bits: both engines, any threads, the same bits", "[engine]", fp16,
                   bf16) {
  auto const check = [](auto model, some_exchange const &exchange, auto optimizer, auto precision) {
    numbers<float, TestType> const kept;
    auto const expected = run(kept, model, exchange, optimizer, 1, execution::reference, precision);
    for (std::size_t const threads : {1, 3}) {
      auto const levelled =
          run(kept, model, exchange, optimizer, threads, execution::levelled, precision);
      CHECK(gossip::hex(levelled.digest) == gossip::hex(expected.digest));
      CHECK(levelled.last.loss == expected.last.loss);
      CHECK(levelled.last.accuracy->mean == expected.last.accuracy->mean);
      CHECK(*levelled.last.consensus_distance == *expected.last.consensus_distance);
    }
    auto const wide =
        run(numbers<float>{}, model, exchange, optimizer, 1, execution::levelled, precision);
    CHECK(expected.last.loss == Approx(wide.last.loss).epsilon(0.05));
    CHECK(2 * expected.state_bytes_per_node == wide.state_bytes_per_node);
    CHECK(2 * expected.bytes_sent == wide.bytes_sent);
    CHECK(10 * expected.announced.rows < 6 * wide.announced.rows);
  };
  using namespace gossip;
  full_precision const full;
  check(small_model{}, d_psgd{}, sgd{.rate = 0.05, .momentum = 0.9}, full);
  check(small_model{}, ad_psgd{}, sgd{.rate = 0.05, .momentum = 0.9}, full);
  if constexpr (std::is_same_v<TestType, bf16>)
    check(small_model{}, ad_psgd{}, adam{.rate = 0.01}, full);
  check(small_model{}, all_reduce{}, sgd{.rate = 0.05, .momentum = 0.9, .nesterov = true}, full);
  check(normalised_model{}, ad_psgd{}, sgd{.rate = 0.05}, full);
  check(small_model{}, d_psgd{}, sgd{.rate = 0.05, .momentum = 0.9}, mixed_precision<TestType>{});
}

TEST_CASE("steps far below the distance of two numbers add up in rows of 16 bits", "[engine]") {
  // x <- (1 - 2^-12) x, of which rounding to nearest would leave x = 1 alone for ever.
  CHECK(gossip::rounded<bf16>(1 - 0x1p-12) == 1);
  double mean = 0, deviation = 0;
  gossip::quadratic<3000> const valley{.curvature = {0x1p-12}, .start = 1};
  gossip::simulator network{gossip::ring{.nodes = 1}, valley, gossip::sgd{.rate = 1.0},
                            gossip::none{}, numbers<float, bf16>{}};
  network.run({.seed = 7, .stop = gossip::rounds{1000}}, look_at_columns{&mean, &deviation});
  // Of each step a share of at most 1/16 of 2^-8 is left to chance: 0.03 in 1,000 of them.
  double const expected = std::pow(1 - 0x1p-12, 1000);
  CHECK(deviation < 0.04);
  CHECK(deviation > 0.02);
  CHECK(mean == Approx(expected).margin(4 * deviation / std::sqrt(3000.0)));
}

TEST_CASE("the bits of a column do not depend on where a tile begins", "[engine]") {
  gossip::row_write const write{9, 4, 11};
  std::vector<float> numbers(1100);
  for (std::size_t c = 0; c < numbers.size(); ++c)
    numbers[c] = 1.0F + static_cast<float>(c) * 1e-4F;
  std::vector<fp16> whole(numbers.size()), pieces(numbers.size());
  gossip::put_columns(write, 2, numbers.data(), 0, numbers.size(), whole.data());
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t const last = std::min(first + 1 + first % 37, numbers.size());
    gossip::put_columns(write, 2, numbers.data() + first, first, last, pieces.data());
    first = last;
  }
  gossip::keyed_random random(9, gossip::purpose::rounding, 4, 11 * 8 + 2);
  std::uint32_t word = 0;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    REQUIRE(pieces[c].bits == whole[c].bits);
    if (c % 2 == 0) word = random.bits();
    auto const bits = static_cast<std::uint16_t>(word >> 16 * (c % 2));
    REQUIRE(static_cast<float>(whole[c]) == gossip::rounded_at_random<fp16>(numbers[c], bits));
  }
}
