// The mean of the numbers in the middle of a neighborhood: trimmed means and the median. D. Yin, Y.
// Chen, R. Kannan, P. Bartlett, "Byzantine-robust distributed learning: towards optimal statistical
// rates", ICML 2018, definitions 1 and 2.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/op/neighbor_column.hpp>

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
      T const own = place(x.value(k));
      std::size_t before = 0;
      for (std::size_t j = 0; j < k; ++j) before += place(x.value(j)) <= own;
      for (std::size_t j = k + 1; j < x.entries; ++j) before += place(x.value(j)) < own;
      if (before >= cut && before + cut < x.entries) sum += x.value(k);
    }
    return sum / static_cast<T>(x.entries - 2 * cut);
  }

  /// Each pair of numbers is compared once, in vectors.
  template <std::size_t Lanes, class T>
  static constexpr void side_by_side(neighbor_column<T> const &x, T *to) {
    using count = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    T places[most_entries][Lanes];
    count before[most_entries][Lanes];
    for (std::size_t k = 0; k < x.entries; ++k) {
      T const *const own = x.from + x.columns[k] * x.stride;
      count sum[Lanes];
      for (std::size_t l = 0; l < Lanes; ++l) {
        places[k][l] = place(own[l]);
        sum[l] = 0;
      }
      for (std::size_t j = 0; j < k; ++j)
        for (std::size_t l = 0; l < Lanes; ++l) {
          count const first = places[j][l] <= places[k][l] ? 1 : 0;
          sum[l] += first;
          before[j][l] += 1 - first;
        }
      for (std::size_t l = 0; l < Lanes; ++l) before[k][l] = sum[l];
    }
    auto const cut = static_cast<count>(cut_of(x.entries));
    auto const end = static_cast<count>(x.entries) - cut;
    T sum[Lanes];
    for (std::size_t l = 0; l < Lanes; ++l) sum[l] = T{0};
    for (std::size_t k = 0; k < x.entries; ++k) {  // others add 0 to a sum that is never -0
      T const *const own = x.from + x.columns[k] * x.stride;
      for (std::size_t l = 0; l < Lanes; ++l) {
        bool const taken = (before[k][l] >= cut) & (before[k][l] < end);
        auto const mask = static_cast<count>(-static_cast<count>(taken));  // a choice would branch
        sum[l] += std::bit_cast<T>(static_cast<count>(std::bit_cast<count>(own[l]) & mask));
      }
    }
    for (std::size_t l = 0; l < Lanes; ++l) to[l] = sum[l] / static_cast<T>(end - cut);
  }

 private:
  static constexpr std::size_t cut_of(std::size_t entries) {
    std::size_t const most = (entries - 1) / 2;
    return Cut < most ? Cut : most;
  }
  template <class T>
  static constexpr T place(T x) {
    return x == x ? x : std::numeric_limits<T>::infinity();
  }
};
static_assert(takes_neighbors_side_by_side<trimmed_mean<1>>);

/// The median of the node's own number and its neighbors', whatever their weights; of an even count
/// the mean of the two in the middle.
struct coordinate_median : trimmed_mean<std::numeric_limits<std::size_t>::max()> {};
static_assert(takes_neighbors_side_by_side<coordinate_median>);

}  // namespace gossip::op
