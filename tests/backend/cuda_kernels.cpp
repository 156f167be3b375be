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

/// Runs f(worker, a, b, output, scratch) on both backends and compares the outputs.
template <class F>
void compare(std::vector<double> const &a, std::vector<double> const &b, std::size_t out,
             std::size_t scratch, F f) {
  std::vector<double> expected(out), got(out), aside(scratch);
  serial::worker const oracle;
  f(oracle, a.data(), b.data(), expected.data(), aside.data());
  gossip::cuda const backend;
  device::buffer<double> da(a.size()), db(b.size()), dout(out), daside(scratch);
  backend.upload(da.data(), a.data(), a.size());
  backend.upload(db.data(), b.data(), b.size());
  gossip::cuda::worker const worker(backend);
  f(worker, da.data(), db.data(), dout.data(), daside.data());
  backend.download(got.data(), dout.data(), out);
  for (std::size_t i = 0; i < out; ++i)
    CHECK(got[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-12));
}

template <convolution_shape S>
void compare_convolutions() {
  constexpr std::size_t k = 2, lanes = 16, row = S.weights() + S.filters;
  constexpr std::size_t in_size = S.channels * S.in_plane() * lanes;
  constexpr std::size_t out_size = S.filters * S.out_plane() * lanes;
  constexpr std::size_t columns = op::column_scratch<S> * lanes;
  auto const in = random_numbers(k * in_size, 2), weights = random_numbers(k * row, 3);
  auto const gradient = random_numbers(k * out_size, 4);
  compare(in, weights, k * out_size, k * columns,
          [](auto const &worker, auto *x, auto *w, auto *out, auto *scratch) {
            worker.convolve(k, op::convolve<S, double>{{w, row},
                                                       {w + S.weights(), row},
                                                       {x, in_size},
                                                       {out, out_size},
                                                       {scratch, columns},
                                                       lanes});
          });
  compare(gradient, weights, k * in_size, k * columns,
          [](auto const &worker, auto *g, auto *w, auto *out, auto *scratch) {
            worker.convolve_back(
                k, op::convolve_back<S, double>{
                       {w, row}, {g, out_size}, {out, in_size}, {scratch, columns}, lanes});
          });
  compare(
      in, gradient, k * S.weights(), k * columns,
      [](auto const &worker, auto *x, auto *g, auto *out, auto *scratch) {
        worker.convolve_weights(
            k,
            op::convolve_weights<S, double>{
                {x, in_size}, {g, out_size}, {out, S.weights()}, {scratch, columns}, lanes, false});
      });
}

}  // namespace

TEST_CASE("strided batched products on the GPU equal plain loops", "[gpu]") {
  constexpr std::size_t k = 3, m = 5, n = 16, inner = 7;
  auto const a = random_numbers(k * m * inner, 0), b = random_numbers(k * inner * n, 1);
  for (bool const transpose_a : {false, true})
    for (bool const transpose_b : {false, true})
      compare(a, b, k * m * n, 0, [&](auto const &worker, auto *pa, auto *pb, auto *out, auto *) {
        worker.template gemm<double>(
            k, {transpose_a, transpose_b, m, n, inner},
            {strided<double const>{pa, m * inner}, transpose_a ? m : inner},
            {strided<double const>{pb, inner * n}, transpose_b ? inner : n}, 0.0,
            {strided<double>{out, m * n}, n});
      });
}

TEST_CASE("convolutions on the GPU equal plain loops", "[gpu]") {
  compare_convolutions<convolution_shape{2, 6, 7, 3, 3}>();
  compare_convolutions<convolution_shape{3, 7, 5, 4, 3, 2, 1}>();
  compare_convolutions<convolution_shape{3, 4, 5, 7, 1}>();
  compare_convolutions<convolution_shape{3, 6, 4, 2, 1, 2}>();
}
