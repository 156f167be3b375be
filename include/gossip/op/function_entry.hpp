// Functions of all kinds as a plan names them and engines on hosts call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <variant>
#include <vector>

#include <gossip/op/column_table.hpp>
#include <gossip/op/library_whole_rows.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip {

enum class function_kind : std::uint8_t { column, neighborhood, row, scalar, whole_row };
inline constexpr std::size_t function_kinds = 5;

template <class F>
concept plan_function = column_function<F> || neighborhood_function<F> || row_function<F> ||
                        scalar_function<F> || whole_row_function<F>;

template <plan_function F>
constexpr function_kind kind_of() {
  static_assert(column_function<F> + neighborhood_function<F> + row_function<F> +
                        scalar_function<F> + whole_row_function<F> ==
                    1,
                "gossip::plan: a function must be of one kind: of columns, neighborhoods, rows, "
                "scalars or whole rows. See docs/policies/exchange.md");
  static_assert(std::is_empty_v<F>,
                "gossip::plan: a function is its type, without members; expected numbers that it "
                "needs as coefficients. See docs/policies/exchange.md");
  if constexpr (column_function<F>)
    return function_kind::column;
  else if constexpr (neighborhood_function<F>)
    return function_kind::neighborhood;
  else if constexpr (row_function<F>)
    return function_kind::row;
  else if constexpr (scalar_function<F>)
    return function_kind::scalar;
  else
    return function_kind::whole_row;
}

/// A function for rows of each type of numbers.
template <template <class> class Kernel>
struct kernels_of {
  Kernel<float> in_float;
  Kernel<double> in_double;

  template <class T>
  constexpr Kernel<T> const &in() const {
    if constexpr (std::is_same_v<T, float>)
      return in_float;
    else
      return in_double;
  }
};

/// A constant of a function's type, made where a plan names it.
struct function_entry {
  std::type_info const *type;
  std::variant<kernels_of<column_kernel> const *, kernels_of<neighborhood_kernel> const *,
               kernels_of<reduction_kernel> const *, scalar_kernel const *,
               kernels_of<whole_row_kernel> const *>
      kernels;  ///< in the order of function_kind

  constexpr function_kind kind() const { return static_cast<function_kind>(kernels.index()); }
};

namespace detail {

template <plan_function F>
inline constexpr auto kernels = [] {
  constexpr function_kind kind = kind_of<F>();
  if constexpr (kind == function_kind::column)
    return kernels_of<column_kernel>{column_kernel_of<F, float>, column_kernel_of<F, double>};
  else if constexpr (kind == function_kind::neighborhood)
    return kernels_of<neighborhood_kernel>{neighborhood_kernel_of<F, float>,
                                           neighborhood_kernel_of<F, double>};
  else if constexpr (kind == function_kind::row)
    return kernels_of<reduction_kernel>{reduction_kernel_of<F, float>,
                                        reduction_kernel_of<F, double>};
  else if constexpr (kind == function_kind::scalar)
    return scalar_kernel{&call_scalar<F>};
  else
    return kernels_of<whole_row_kernel>{whole_row_kernel_of<F, float>,
                                        whole_row_kernel_of<F, double>};
}();

}  // namespace detail

template <plan_function F>
inline constexpr function_entry entry_of{&typeid(F), &detail::kernels<F>};

/// A function that a plan names from now on, and its number among the functions of its kind.
struct named_function {
  std::uint16_t number;
  function_entry const *entry;
};

/// The functions that an engine on the host knows by number: its windows have named them.
template <class T>
struct function_tables {
  std::vector<column_kernel<T>> columns;
  std::vector<neighborhood_kernel<T>> neighborhoods;
  std::vector<reduction_kernel<T>> reductions;
  std::vector<scalar_kernel> scalars;
  std::vector<whole_row_kernel<T>> whole_rows;

  /// Takes the functions that a window is the first to name.
  void take(std::span<named_function const> named) {
    for (auto const &[number, entry] : named) {
      auto const put = [n = std::size_t{number}](auto &table, auto const &kernel) {
        if (table.size() <= n) table.resize(n + 1);
        table[n] = kernel;
      };
      switch (entry->kind()) {
        case function_kind::column:
          put(columns, std::get<0>(entry->kernels)->template in<T>());
          break;
        case function_kind::neighborhood:
          put(neighborhoods, std::get<1>(entry->kernels)->template in<T>());
          break;
        case function_kind::row:
          put(reductions, std::get<2>(entry->kernels)->template in<T>());
          break;
        case function_kind::scalar:
          put(scalars, *std::get<3>(entry->kernels));
          break;
        case function_kind::whole_row:
          put(whole_rows, std::get<4>(entry->kernels)->template in<T>());
      }
    }
  }
};

}  // namespace gossip
