// Optimizers that are their rules alone: the laws of an optimizer, numbers by hand, the bits of
// sgd.
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/sgd.hpp>

#include "optimizers.hpp"
#include "signum.hpp"

using gossip::test::signum;

namespace {

/// Momentum as sgd has it.
struct heavy_ball {
  static constexpr std::size_t rows = 1;
  double rate = 0.1, momentum = 0.9;

  void absorb(auto gradient, auto, auto *row) const {
    row[0] = static_cast<decltype(gradient)>(momentum) * row[0] + gradient;
  }
  void step(auto scale, auto &x, auto const *row) const { x -= scale * row[0]; }
};

static_assert(gossip::optimizer<heavy_ball> && gossip::optimizer<signum>);

}  // namespace

TEST_CASE("optimizers from their rules keep the laws of an optimizer", "[optimizer]") {
  gossip::test::check_optimizer(heavy_ball{.rate = 0.1});
  gossip::test::check_optimizer(signum{.rate = 0.1, .momentum = 0.7});
}

TEST_CASE("a rule of momentum has the bits of sgd", "[optimizer]") {
  auto const own = gossip::arithmetic<double>(heavy_ball{.rate = 0.3, .momentum = 0.7}, true);
  auto const theirs = gossip::arithmetic<double>(gossip::sgd{.rate = 0.3, .momentum = 0.7}, true);
  gossip::test::node_rows<double> a(133, 1), b = a;
  for (std::uint64_t t = 1; t < 9; ++t) {
    auto const g = gossip::test::gradient_of_step<double>(t, 133);
    own.absorb_and_step(own.scale(0.3, t), g.data(), a.range(0, 133));
    theirs.absorb_and_step(theirs.scale(0.3, t), g.data(), b.range(0, 133));
    CHECK(a.numbers == b.numbers);
  }
}

TEST_CASE("the sign of a momentum moves by the rate", "[optimizer]") {
  gossip::with_kernel<double>(signum{.rate = 0.25, .momentum = 0.5}, true, [](auto const &kernel) {
    double x = 1, row[1] = {0};
    double const scale = kernel.scale(0.25, 1);
    kernel.absorb_and_step(scale, 4.0, x, row);  // momentum 2
    CHECK(x == 0.75);
    kernel.absorb_and_step(scale, -1.0, x, row);  // 0.5
    CHECK(x == 0.5);
    kernel.absorb_and_step(scale, -2.0, x, row);  // -0.75
    CHECK(x == 0.75);
    CHECK(row[0] == -0.75);
  });
}

TEST_CASE("an optimizer from its rule refuses a rate that is none", "[optimizer]") {
  CHECK_THROWS_WITH(gossip::check_optimizer(heavy_ball{.rate = -1}),
                    "optimizer: expected a finite rate >= 0, got -1");
  CHECK_THROWS_WITH(gossip::check_optimizer(signum{.momentum = 1}),
                    "signum: expected momentum below 1, got 1");
  CHECK_NOTHROW(gossip::check_optimizer(signum{}));
}
