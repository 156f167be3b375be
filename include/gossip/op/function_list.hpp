// Functions of all kinds by number, for devices, whose kernels switch on numbers: the library's,
// and functions that an exchange lists.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <typeinfo>

#include <gossip/op/function_entry.hpp>

namespace gossip {

/// The functions of its own, of any kind, that an exchange may name on a device.
template <plan_function... F>
struct function_list {};

/// Lists by kind, whose places are the numbers of a plan.
template <class Columns, class Neighborhoods, class Reductions, class Scalars, class WholeRows>
struct plan_functions {
  using columns = Columns;
  using neighborhoods = Neighborhoods;
  using reductions = Reductions;
  using scalars = Scalars;
  using whole_rows = WholeRows;
};

using library_plan_functions =
    plan_functions<library_functions, library_neighborhoods, library_reductions, library_scalars,
                   library_whole_rows>;

/// The library's functions of a kind.
template <function_kind Kind>
using library_of = std::conditional_t<
    Kind == function_kind::column, library_functions,
    std::conditional_t<
        Kind == function_kind::neighborhood, library_neighborhoods,
        std::conditional_t<Kind == function_kind::row, library_reductions,
                           std::conditional_t<Kind == function_kind::scalar, library_scalars,
                                              library_whole_rows>>>>;

namespace detail {

/// A list with F at its end, where F is of that kind and not in it.
template <function_kind Kind, class List, class F>
struct with_function {
  using type = List;
};
template <function_kind Kind, template <class...> class List, class... G, class F>
  requires(kind_of<F>() == Kind && !(std::is_same_v<F, G> || ...))
struct with_function<Kind, List<G...>, F> {
  using type = List<G..., F>;
};

template <function_kind Kind, class List, class... F>
struct with_functions {
  using type = List;
};
template <function_kind Kind, class List, class First, class... F>
struct with_functions<Kind, List, First, F...>
    : with_functions<Kind, typename with_function<Kind, List, First>::type, F...> {};

template <function_kind Kind, class... F>
using functions_of_kind = typename with_functions<Kind, library_of<Kind>, F...>::type;

template <class List>
struct sorted_functions;
template <class... F>
struct sorted_functions<function_list<F...>> {
  using type = plan_functions<functions_of_kind<function_kind::column, F...>,
                              functions_of_kind<function_kind::neighborhood, F...>,
                              functions_of_kind<function_kind::row, F...>,
                              functions_of_kind<function_kind::scalar, F...>,
                              functions_of_kind<function_kind::whole_row, F...>>;
};

template <class List>
inline constexpr bool is_function_list = false;
template <class... F>
inline constexpr bool is_function_list<function_list<F...>> = true;

template <class X>
struct own_functions {
  using type = function_list<>;
};
template <class X>
  requires requires { typename X::functions; }
struct own_functions<X> {
  using type = typename X::functions;
};

}  // namespace detail

/// The functions of the library, and behind them the functions that an exchange lists.
template <class Exchange>
using functions_of =
    typename detail::sorted_functions<typename detail::own_functions<Exchange>::type>::type;

/// A function that has its number before a plan names it.
struct listed_function {
  function_kind kind;
  std::type_info const *type;
  bool of_library;  ///< whose number is its place there
};

namespace detail {

template <class List>
struct types_listed;
template <class... F>
struct types_listed<function_list<F...>> {
  static constexpr std::array<listed_function, sizeof...(F)> all{
      {{kind_of<F>(), &typeid(F), library_of<kind_of<F>()>::template holds<F>}...}};
};

}  // namespace detail

/// The functions that an exchange lists, in the order of their numbers.
template <class Exchange>
inline constexpr std::span<listed_function const> functions_listed_by =
    detail::types_listed<typename detail::own_functions<Exchange>::type>::all;

}  // namespace gossip
