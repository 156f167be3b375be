// Products of samples as they are stored: against features made first and multiplied afterwards.
#include <gossip/backend/cpu.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

constexpr dense_shape shape{10, 96};

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = std::sin(static_cast<float>(i) * 0.7F);
  return all;
}

}  // namespace

TEST_CASE("samples are multiplied as they are loaded", "[backend]") {
  std::vector<std::uint8_t> stored(70 * shape.inputs);
  for (std::size_t i = 0; i < stored.size(); ++i)
    stored[i] = static_cast<std::uint8_t>(i * 37 + i / 96);
  auto const weights = numbers(shape.weights()), bias = numbers(shape.units);
  float const scale = 1.0F / 255.0F, shift = -0.25F;
  for (std::size_t const lanes : {16, 32, 64})
    for (std::size_t const count : {lanes, lanes - 1, lanes - 5, lanes - 14, std::size_t{1}}) {
      std::vector<std::uint8_t const *> samples(count);
      for (std::size_t l = 0; l < count; ++l)
        samples[l] = stored.data() + l * 61 % 70 * shape.inputs;
      host_buffer<float> in(lanes * shape.inputs), out(shape.units * lanes), none(0);
      for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = 99.0F;
      cpu::worker{}.dense_of_bytes(0,
                                   op::dense<shape, float>{{weights.data(), 0},
                                                           {bias.data(), 0},
                                                           {in.data(), 0},
                                                           {out.data(), 0},
                                                           {},
                                                           lanes,
                                                           true},
                                   strided<float>{in.data(), 0}, samples, scale, shift);
      CAPTURE(lanes, count);
      for (std::size_t l = 0; l < lanes; ++l) {
        std::vector<double> exact(shape.units);
        for (std::size_t u = 0; u < shape.units; ++u) exact[u] = static_cast<double>(bias[u]);
        for (std::size_t i = 0; i < shape.inputs; ++i) {
          float const feature =
              l < count ? static_cast<float>(samples[l][i]) * scale + shift : 0.0F;
          REQUIRE(in.data()[l * shape.inputs + i] == feature);
          for (std::size_t u = 0; u < shape.units; ++u)
            exact[u] +=
                static_cast<double>(feature) * static_cast<double>(weights[u * shape.inputs + i]);
        }
        for (std::size_t u = 0; u < shape.units; ++u)
          REQUIRE(static_cast<double>(out.data()[u * lanes + l]) == Approx(exact[u]).margin(1e-5));
      }
    }
}
