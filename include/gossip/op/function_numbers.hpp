// Numbers of functions where lists of several exchanges are joined.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace gossip {

/// The numbers that the functions of some lists have in others, which hold all of them; by their
/// own numbers.
struct function_numbers {
  std::span<std::uint16_t const> columns, neighborhoods, reductions, scalars, whole_rows;
};

namespace detail {

template <class Own, class All>
struct numbers_of_list;
template <template <class...> class List, class... F, class All>
struct numbers_of_list<List<F...>, All> {
  static constexpr std::array<std::uint16_t, sizeof...(F)> in{All::template number_of<F>...};
};

}  // namespace detail

/// Own and All: plan_functions.
template <class Own, class All>
constexpr function_numbers numbers_in() {
  return {detail::numbers_of_list<typename Own::columns, typename All::columns>::in,
          detail::numbers_of_list<typename Own::neighborhoods, typename All::neighborhoods>::in,
          detail::numbers_of_list<typename Own::reductions, typename All::reductions>::in,
          detail::numbers_of_list<typename Own::scalars, typename All::scalars>::in,
          detail::numbers_of_list<typename Own::whole_rows, typename All::whole_rows>::in};
}

/// The number by which an engine knows a function of an exchange's list: its own where others are
/// null.
inline std::uint16_t engine_number(std::uint16_t own, function_numbers const *others,
                                   std::span<std::uint16_t const> function_numbers::*list) {
  return others ? (others->*list)[own] : own;
}

}  // namespace gossip
