// Max pooling on one core, a register of samples at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/op/pool.hpp>

namespace gossip::host {

/// in (c, h, w, lanes) -> out (c, h / window, w / window, lanes) and the winners' places.
template <op::pool_shape S, class T>
[[gnu::noinline]] void max_pool(T const *in, T *out, std::uint8_t *winner, std::size_t lanes) {
  using places = decltype(pack<T>{} > pack<T>{});  // integers as wide as T
  typedef std::uint8_t narrow __attribute__((vector_size(pack_size<T>)));
  for (std::size_t row = 0; row < S.out_size(); ++row)
    for (std::size_t lane = 0; lane < lanes; lane += pack_size<T>) {
      T const *const corner = in + S.corner(row) * lanes + lane;
      pack<T> best = load(corner);
      places which{};
      for (std::size_t y = 0; y < S.window; ++y)
        for (std::size_t x = 0; x < S.window; ++x) {
          pack<T> const value = load(corner + (y * S.width + x) * lanes);
          auto const greater = (value > best) | (value != value);  // a NaN wins
          which = greater ? places{} + static_cast<int>(y * S.window + x) : which;
          best = greater ? value : best;
        }
      store(out + row * lanes + lane, best);
      narrow const small = __builtin_convertvector(which, narrow);
      std::memcpy(winner + row * lanes + lane, &small, sizeof small);
    }
}

}  // namespace gossip::host
