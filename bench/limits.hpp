// Limits of this machine: matrix products a second and bytes copied a second, with all cores busy,
// measured next to whatever is compared with them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/cpu/pack.hpp>

namespace gossip::bench {

/// Seconds that f takes.
template <class F>
double seconds(F f) {
  auto const begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class F>
double least_seconds(int repeats, F f) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) least = std::min(least, seconds(f));
  return least;
}

/// Operations a second of single-threaded SGEMM, 1024 x 1024 x 1024, one product a core at once.
inline double sgemm_rate(int repeats = 8) {
  constexpr std::size_t n = 1024;
  cpu const cores;
  cpu::session const session{cores};
  struct operands {
    host_buffer<float> a{n * n}, b{n * n}, c{n * n};
  };
  std::vector<operands> of(cores.workers());
  auto const multiply = [&](std::size_t, std::size_t i) {
    blas::gemm<float>({false, false, n, n, n}, {of[i].a.data(), n}, {of[i].b.data(), n}, 0.0f,
                      {of[i].c.data(), n});
  };
  cores.for_each(of.size(), [&](std::size_t, std::size_t i) {
    std::fill_n(of[i].a.data(), n * n, 0.5f);
    std::fill_n(of[i].b.data(), n * n, 0.25f);
  });
  double const time = least_seconds(repeats, [&] { cores.for_each(of.size(), multiply); });
  return static_cast<double>(of.size()) * 2.0 * n * n * n / time;
}

/// One register after the other, plain stores: what neither the compiler nor the C library turns
/// into non-temporal ones.
inline void copy_plain(float const *from, float *to, std::size_t count) {
  for (std::size_t c = 0; c < count; c += host::pack_size<float>) {
    host::store(to + c, host::load(from + c));
    __asm__ volatile("" ::: "memory");
  }
}

/// Stores that go past the caches, where the processor has them; for information.
inline void copy_streaming(float const *from, float *to, std::size_t count) {
  for (std::size_t c = 0; c < count; c += host::pack_size<float>) {
#if defined(__AVX512F__)
    _mm512_stream_ps(to + c, (__m512)host::load(from + c));
#elif defined(__AVX2__) && defined(__FMA__)
    _mm256_stream_ps(to + c, (__m256)host::load(from + c));
#else
    host::store(to + c, host::load(from + c));
#endif
  }
}

/// Copies between two arrays of 256 MiB, which lie ready from one measurement to the next.
class copier {
 public:
  copier() {
    cores_.for_each(blocks, [this](std::size_t, std::size_t i) {
      std::fill_n(from_.data() + i * block, block, 1.0f);
      std::fill_n(to_.data() + i * block, block, 0.0f);
    });
  }

  /// Bytes a second, read and written both counted, all cores at once.
  double plain(int repeats = 5) const { return rate(repeats, copy_plain); }
  double streaming(int repeats = 5) const { return rate(repeats, copy_streaming); }

 private:
  static constexpr std::size_t block = std::size_t{1} << 18, blocks = 256;

  template <class F>
  double rate(int repeats, F copy) const {
    double const time = least_seconds(repeats, [&] {
      cores_.for_each(blocks, [&](std::size_t, std::size_t i) {
        copy(from_.data() + i * block, to_.data() + i * block, block);
      });
    });
    return 2.0 * blocks * block * sizeof(float) / time;
  }

  cpu cores_;
  host_buffer<float> from_{blocks * block}, to_{blocks * block};
};

}  // namespace gossip::bench
