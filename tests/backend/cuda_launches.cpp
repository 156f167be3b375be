// Work of a GPU backend without waiting: uploads, loops, launches that are kept and repeated.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gossip/backend/cuda.hpp>

#include "../catch.hpp"

using namespace gossip;

namespace {

struct add_here {
  float const *from;
  float *to;

  constexpr void operator()(std::size_t i) const { to[i] += from[i]; }
};

}  // namespace

TEST_CASE("uploads to a GPU take what was there when they were asked for", "[gpu]") {
  gossip::cuda const backend;
  std::size_t const count = device::staging::half / sizeof(float) * 5 / 3;  // more than a half
  std::vector<float> numbers(count), got(count);
  device::buffer<float> there(count), sums(count);
  for (int k = 1; k <= 4; ++k) {
    std::iota(numbers.begin(), numbers.end(), static_cast<float>(k));
    backend.upload(there.data(), numbers.data(), count);
    numbers.assign(count, -1.0f);
    backend.launch(count, add_here{there.data(), sums.data()});
  }
  backend.download(got.data(), sums.data(), count);
  std::size_t wrong = 0;  // whole numbers below 2^24: sums of four are exact
  for (std::size_t i = 0; i < count; ++i)
    wrong += got[i] != 4 * static_cast<float>(i) + (1 + 2 + 3 + 4);
  CHECK(wrong == 0);
}

TEST_CASE("a backend that ends has done what it was given", "[gpu]") {
  device::buffer<float> there(2);
  {
    gossip::cuda const backend;
    std::vector<float> const numbers{3, 4};
    backend.upload(there.data(), numbers.data(), 2);  // by way of memory that ends with the backend
  }
  std::vector<float> got(2);
  gossip::cuda{}.download(got.data(), there.data(), 2);
  CHECK(got == std::vector<float>{3, 4});
}

TEST_CASE("launches that are kept read what is there when they are repeated", "[gpu]") {
  gossip::cuda const backend;
  constexpr std::size_t count = 1000;
  device::buffer<float> from(count), to(count);
  device::recording kept;
  int calls = 0;
  for (int k = 1; k <= 3; ++k) {
    std::vector<float> const numbers(count, static_cast<float>(k));
    backend.upload(from.data(), numbers.data(), count);
    backend.replay(kept, [&] {
      ++calls;
      backend.launch(count, add_here{from.data(), to.data()});
      backend.launch(count, add_here{from.data(), to.data()});
    });
  }
  std::vector<float> got(count);
  backend.download(got.data(), to.data(), count);
  CHECK(got == std::vector<float>(count, 2 * (1 + 2 + 3)));
  CHECK(calls == 1);
  CHECK(backend.context->done.replays == 3);
}

TEST_CASE("what cannot be kept is launched every time, and its errors are seen", "[gpu]") {
  gossip::cuda const backend;
  device::buffer<float> from(1), to(1);
  float const one = 1;
  backend.upload(from.data(), &one, 1);
  device::recording kept, failing;
  for (int k = 0; k < 2; ++k)
    backend.replay(kept, [&] {
      backend.wait();  // not allowed in a capture
      backend.launch(1, add_here{from.data(), to.data()});
    });
  float got = 0;
  backend.download(&got, to.data(), 1);
  CHECK(got == 2);
  CHECK(backend.context->done.replays == 0);
  CHECK_THROWS_AS(backend.replay(failing, [] { throw std::runtime_error("of its own"); }),
                  std::runtime_error);
}

// The sums of 64 products of numbers below 1: rounding a factor to m bits moves a product by at
// most 2 * 2^-(m + 1) of it, 64 of them by 64 * 2^-m; the 32-bit sums add 64 * 64 * 2^-24.
TEST_CASE("products on a GPU round as far as they were allowed to", "[gpu]") {
  constexpr std::size_t n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>((i * 37) % 101) / 101.0f;
    b[i] = static_cast<float>((i * 53) % 97) / 97.0f;
  }
  device::buffer<float> da(n * n), db(n * n), dc(n * n);
  auto const error_with = [&](multiplication how) {
    gossip::cuda const backend{.multiply = how};
    backend.upload(da.data(), a.data(), n * n);
    backend.upload(db.data(), b.data(), n * n);
    gossip::cuda::worker const worker(backend);
    worker.gemm<float>(1, {false, false, n, n, n}, {strided<float const>{da.data(), 0}, n},
                       {strided<float const>{db.data(), 0}, n}, 0.0f,
                       {strided<float>{dc.data(), 0}, n});
    backend.download(c.data(), dc.data(), n * n);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k)
          sum += static_cast<double>(a[i * n + k]) * static_cast<double>(b[k * n + j]);
        worst = std::max(worst, std::abs(sum - static_cast<double>(c[i * n + j])));
      }
    return worst;
  };
  double const sums = 64.0 * 64.0 / (1 << 24);
  CHECK(error_with(multiplication::fp32) < sums);
  CHECK(error_with(multiplication::tf32) < sums + 64.0 / (1 << 10));
  CHECK(error_with(multiplication::fp16) < sums + 64.0 / (1 << 10));
  CHECK(error_with(multiplication::bf16) < sums + 64.0 / (1 << 7));
}
