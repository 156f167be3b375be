// The sigmoid-weighted linear unit: values and gradients of PyTorch, far values, a network's
// gradient by central differences.
#include <gossip/model/layer/silu.hpp>

#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

#include <cmath>
#include <limits>

#include "training.hpp"

namespace {

template <class T>
T silu_of(T x) {
  T out{};
  gossip::op::silu<T>{{&x, 0}, {&out, 0}, 1}(0, 0, 0);
  return out;
}
double slope_at(double x) {
  double const one = 1;
  double slope = 0;
  gossip::op::silu_back<double>{{&x, 0}, {&one, 0}, {&slope, 0}, 1}(0, 0, 0);
  return slope;
}

}  // namespace

// torch.nn.functional.silu of 64-bit numbers and its gradient, PyTorch 1.13.
TEST_CASE("silu and its gradient are those of PyTorch", "[model]") {
  CHECK(silu_of(0.0) == 0);
  CHECK(silu_of(1.0) == Approx(0.7310585786300049).epsilon(1e-14));
  CHECK(silu_of(-1.0) == Approx(-0.2689414213699951).epsilon(1e-14));
  CHECK(silu_of(-5.0) == Approx(-0.03346425462142428).epsilon(1e-14));
  CHECK(silu_of(12.5) == Approx(12.499953417008948).epsilon(1e-14));
  CHECK(silu_of(0.3F) == Approx(0.1723327550434977).epsilon(1e-6));
  CHECK(slope_at(1.0) == Approx(0.9276705118714869).epsilon(1e-14));
  CHECK(slope_at(-1.0) == Approx(0.07232948812851325).epsilon(1e-13));
  CHECK(slope_at(-5.0) == Approx(-0.026547432429665917).epsilon(1e-13));
  CHECK(slope_at(12.5) == Approx(1.00004285617817).epsilon(1e-14));
}

TEST_CASE("silu of far numbers is the number or nothing", "[model]") {
  CHECK(silu_of(1e30) == 1e30);
  CHECK(std::abs(silu_of(-200.0)) < 1e-30);
  CHECK(std::isnan(silu_of(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("a network with silu has the gradient of central differences", "[model]") {
  using model = gossip::sequential<gossip::input<1, 3, 4>, gossip::dense<7>, gossip::silu,
                                   gossip::dense<5>, gossip::silu, gossip::dense<3>>;
  for (std::size_t const batch : {1, 17, 70}) {
    gossip::test::check_central_differences<gossip::serial>(model{}, batch, 40);
    gossip::test::check_central_differences<gossip::cpu>(model{}, batch, 40);
  }
}
