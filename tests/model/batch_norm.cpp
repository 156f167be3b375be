// Batch normalisation: moments against plain sums, gradients against central differences, chunks
// that change nothing but rounding.
#include <gossip/model/layer/batch_norm.hpp>

#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/sequential.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "training.hpp"

using namespace gossip::test;

namespace {

using normalised = gossip::sequential<gossip::input<2, 5, 4>, gossip::batch_norm, gossip::dense<3>>;
using rectified =
    gossip::sequential<gossip::input<2, 6, 6>, gossip::conv2d<3, 3>, gossip::batch_norm,
                       gossip::relu, gossip::conv2d<4, 2>, gossip::batch_norm, gossip::dense<4>>;
static_assert(rectified::statistics == 2 * (3 + 4));
static_assert(gossip::row_length<rectified> == rectified::parameters + 14);

}  // namespace

TEST_CASE("a gradient carries mean and unbiased variance of the batch", "[model]") {
  constexpr std::size_t channels = 2, plane = 20;
  for (std::size_t const batch : {1, 3, 16, 65, 130}) {
    auto const data = samples<normalised, double>::random(batch, 7);
    auto const got = learn<gossip::cpu>(normalised{}, start_of<double>(normalised{}), data);
    for (std::size_t c = 0; c < channels; ++c) {
      double sum = 0, squares = 0;
      auto const each = [&](auto f) {
        for (std::size_t i = 0; i < batch; ++i)
          for (std::size_t p = 0; p < plane; ++p) f(data.features[(i * channels + c) * plane + p]);
      };
      each([&](double x) { sum += x; });
      double const count = static_cast<double>(batch * plane), mean = sum / count;
      each([&](double x) { squares += (x - mean) * (x - mean); });
      CAPTURE(batch, c);
      std::size_t const at = normalised::parameters;
      CHECK(got.gradient[at + c] == Approx(mean).margin(1e-14));
      CHECK(got.gradient[at + channels + c] == Approx(squares / (count - 1)).epsilon(1e-13));
    }
  }
}

TEST_CASE("batch normalisation's gradients are central differences", "[model]") {
  for (std::size_t const batch : {2, 17, 66}) {
    check_central_differences<gossip::serial>(normalised{}, batch, 1000);
    check_central_differences<gossip::cpu>(normalised{}, batch, 1000);
    check_central_differences<gossip::serial>(rectified{}, batch, 1000);
    check_central_differences<gossip::cpu>(rectified{}, batch, 1000);
  }
}

TEST_CASE("a team of cores computes the bits that one core computes", "[model]") {
  for (std::size_t const batch : {1, 16, 65, 200}) {
    auto const data = samples<rectified, float>::random(batch, 3);
    auto const x = start_of<float>(rectified{});
    auto const alone = learn<gossip::cpu>(rectified{}, x, data, 1);
    for (std::size_t const team : {2, 3, 8}) {
      auto const together = learn<gossip::cpu>(rectified{}, x, data, team);
      CAPTURE(batch, team);
      CHECK(together.gradient == alone.gradient);
      CHECK(together.loss == alone.loss);
    }
  }
}

TEST_CASE("a constant channel is normalised to nothing, not to infinity", "[model]") {
  samples<normalised, float> data{std::vector<float>(3 * 40, 2.5F), {0, 1, 2}};
  auto const got = learn<gossip::cpu>(normalised{}, start_of<float>(normalised{}), data);
  CHECK(std::isfinite(got.loss[0]));
  for (float const g : got.gradient) CHECK(std::isfinite(g));
  CHECK(got.gradient[normalised::parameters + 2] == 0.0F);  // its variance
}
