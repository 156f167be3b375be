// The mean of the numbers in the middle of a neighborhood: trimmed means and the median. D. Yin, Y.
// Chen, R. Kannan, P. Bartlett, "Byzantine-robust distributed learning: towards optimal statistical
// rates", ICML 2018, definitions 1 and 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <gossip/op/column.hpp>
#include <gossip/op/neighbor_column.hpp>
#include <gossip/op/vector_bytes.hpp>

namespace gossip::op {

/// The mean of the node's own number and its neighbors' without the `Cut` smallest and the `Cut`
/// largest, whatever their weights; fewer are cut where a node has not 2 Cut + 1. What is not a
/// number stands where an infinite one would; equal ones stand in the order of the nodes. Added in
/// ascending order of the nodes; O(entries^2).
template <std::size_t Cut>
struct trimmed_mean {
  static constexpr std::size_t most_entries = 32;

  template <class T>
  constexpr T operator()(neighbor_column<T> const &x) const {
    std::size_t const cut = cut_of(x.entries);
    T sum{0};
    for (std::size_t k = 0; k < x.entries; ++k) {
      T const own = sorted_as(x.value(k));
      std::size_t before = 0;
      for (std::size_t j = 0; j < k; ++j) before += sorted_as(x.value(j)) <= own;
      for (std::size_t j = k + 1; j < x.entries; ++j) before += sorted_as(x.value(j)) < own;
      if (before >= cut && before + cut < x.entries) sum += x.value(k);
    }
    return sum / static_cast<T>(x.entries - 2 * cut);
  }

  /// Vectors of columns, one after another. For GCC and clang.
  template <std::size_t Lanes, class T>
  static constexpr void side_by_side(neighbor_column<T> const &x, T *to) {
    static_assert(Lanes * sizeof(T) % vector_bytes == 0);
    for (std::size_t l = 0; l < Lanes; l += vector_bytes / sizeof(T)) one_vector(x, l, to + l);
  }

 private:
  /// Each pair of numbers is compared once.
  template <class T>
  static void one_vector(neighbor_column<T> const &x, std::size_t first, T *to) {
    using count = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    typedef T numbers __attribute__((vector_size(vector_bytes)));
    typedef count counts __attribute__((vector_size(vector_bytes)));
    std::size_t const entries = x.entries;
    numbers places[most_entries];
    counts before[most_entries];
    for (std::size_t k = 0; k < entries; ++k) {
      numbers own;
      std::memcpy(&own, x.from + x.columns[k] * x.stride + first, sizeof own);
      own = own == own ? own : numbers{} + std::numeric_limits<T>::infinity();
      counts sum = counts{} +
                   static_cast<count>(entries - 1 - k);  // all later ones, until they are compared
      for (std::size_t j = 0; j < k; ++j) {
        auto const is_before = __builtin_bit_cast(counts, places[j] <= own);  // -1 where it is
        sum -= is_before;
        before[j] += is_before;
      }
      places[k] = own;
      before[k] = sum;
    }
    auto const cut = static_cast<count>(cut_of(entries)), end = static_cast<count>(entries) - cut;
    numbers sum{};
    for (std::size_t k = 0; k < entries; ++k) {  // others add 0 to a sum that is never -0
      counts own;
      std::memcpy(&own, x.from + x.columns[k] * x.stride + first, sizeof own);
      sum += __builtin_bit_cast(numbers, own & (before[k] >= cut) & (before[k] < end));
    }
    sum /= static_cast<T>(end - cut);
    std::memcpy(to, &sum, sizeof sum);
  }

  static constexpr std::size_t cut_of(std::size_t entries) {
    std::size_t const most = (entries - 1) / 2;
    return Cut < most ? Cut : most;
  }
};
static_assert(takes_neighbors_side_by_side<trimmed_mean<1>>);

/// The median of the node's own number and its neighbors', whatever their weights; of an even count
/// the mean of the two in the middle.
struct coordinate_median : trimmed_mean<std::numeric_limits<std::size_t>::max()> {};
static_assert(takes_neighbors_side_by_side<coordinate_median>);

}  // namespace gossip::op
