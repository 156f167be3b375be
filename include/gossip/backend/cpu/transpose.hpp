// Transposes a matrix of numbers on one core, a square of registers at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gossip/backend/cpu/pack.hpp>

namespace gossip::host {

namespace detail {

/// Exchanges the off-diagonal blocks of size Step in rows r and r + Step (J. Eklundh 1972). A
/// function and not a lambda: nvcc would compile that for the device.
template <std::size_t Step, class T, std::size_t... P>
inline void exchange(pack<T> &upper, pack<T> &lower, std::index_sequence<P...>) {
  constexpr std::size_t n = pack_size<T>;
  pack<T> const a = upper, b = lower;
#ifdef __clang__
  upper = __builtin_shufflevector(a, b, ((P & Step) == 0 ? P : n + P - Step)...);
  lower = __builtin_shufflevector(a, b, ((P & Step) == 0 ? P + Step : n + P)...);
#else
  using index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef index places __attribute__((vector_size(pack_bytes)));
  constexpr places to_upper = {static_cast<index>((P & Step) == 0 ? P : n + P - Step)...};
  constexpr places to_lower = {static_cast<index>((P & Step) == 0 ? P + Step : n + P)...};
  upper = __builtin_shuffle(a, b, to_upper);
  lower = __builtin_shuffle(a, b, to_lower);
#endif
}

template <std::size_t Step, class T>
inline void exchange_all(pack<T> (&rows)[pack_size<T>]) {
  if constexpr (Step < pack_size<T>) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < pack_size<T>; ++r)
      if ((r & Step) == 0)
        exchange<Step, T>(rows[r], rows[r + Step], std::make_index_sequence<pack_size<T>>{});
    exchange_all<2 * Step, T>(rows);
  }
}

}  // namespace detail

/// from (rows, columns) -> to (columns, rows), rows and columns apart by the strides given.
template <class T>
[[gnu::noinline]] void transpose(T const *from, std::size_t rows, std::size_t columns,
                                 std::size_t from_stride, T *to, std::size_t to_stride) {
  constexpr std::size_t n = pack_size<T>;
  std::size_t const whole_rows = rows / n * n, whole_columns = columns / n * n;
  for (std::size_t r = 0; r < whole_rows; r += n)
    for (std::size_t c = 0; c < whole_columns; c += n) {
      pack<T> square[n];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < n; ++i) square[i] = load(from + (r + i) * from_stride + c);
      detail::exchange_all<1, T>(square);
#pragma GCC unroll 16
      for (std::size_t i = 0; i < n; ++i) store(to + (c + i) * to_stride + r, square[i]);
    }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c)
      to[c * to_stride + r] = from[r * from_stride + c];
}

}  // namespace gossip::host
