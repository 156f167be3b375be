// Matrix products and convolutions on a GPU against plain loops.
#include <vector>

#include <gossip/backend/cuda.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/core/random.hpp>

#include "../catch.hpp"

using namespace gossip;

namespace {

std::vector<double> random_numbers(std::size_t count, std::uint32_t stream) {
  std::vector<double> numbers(count);
  keyed_random random(1, purpose::user, stream, 0);
  for (double &x : numbers) x = random.normal();
  return numbers;
}

/// Runs f(worker, inputs..., output) on both backends and compares the outputs.
template <class F>
void compare(std::vector<double> const &a, std::vector<double> const &b, std::size_t out, F f) {
  std::vector<double> expected(out), got(out);
  serial::worker const oracle;
  f(oracle, a.data(), b.data(), expected.data());
  gossip::cuda const backend;
  device::buffer<double> da(a.size()), db(b.size()), dout(out);
  backend.upload(da.data(), a.data(), a.size());
  backend.upload(db.data(), b.data(), b.size());
  gossip::cuda::worker const worker(backend);
  f(worker, da.data(), db.data(), dout.data());
  backend.download(got.data(), dout.data(), out);
  for (std::size_t i = 0; i < out; ++i)
    CHECK(got[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-12));
}

}  // namespace

TEST_CASE("strided batched products on the GPU equal plain loops", "[gpu]") {
  constexpr std::size_t k = 3, m = 5, n = 16, inner = 7;
  auto const a = random_numbers(k * m * inner, 0), b = random_numbers(k * inner * n, 1);
  for (bool const transpose_a : {false, true})
    for (bool const transpose_b : {false, true})
      compare(a, b, k * m * n, [&](auto const &worker, auto *pa, auto *pb, auto *out) {
        worker.template gemm<double>(
            k, {transpose_a, transpose_b, m, n, inner},
            {strided<double const>{pa, m * inner}, transpose_a ? m : inner},
            {strided<double const>{pb, inner * n}, transpose_b ? inner : n}, 0.0,
            {strided<double>{out, m * n}, n});
      });
}

TEST_CASE("convolutions on the GPU equal plain loops", "[gpu]") {
  constexpr convolution_shape shape{2, 6, 7, 3, 3};
  constexpr std::size_t k = 2, lanes = 16;
  auto const in = random_numbers(k * shape.channels * shape.in_plane() * lanes, 2);
  auto const weights = random_numbers(k * (shape.weights() + shape.filters), 3);
  std::size_t const row = shape.weights() + shape.filters;
  compare(in, weights, k * shape.filters * shape.out_plane() * lanes,
          [&](auto const &worker, auto *x, auto *w, auto *out) {
            worker.convolve(
                k, op::convolve<shape, double>{{w, row},
                                               {w + shape.weights(), row},
                                               {x, shape.channels * shape.in_plane() * lanes},
                                               {out, shape.filters * shape.out_plane() * lanes},
                                               {},
                                               lanes});
          });
}
