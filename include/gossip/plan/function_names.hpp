// Numbers of the functions that a plan names.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/function_list.hpp>

namespace gossip {

/// The number of a function of the library is its place in the library's list of its kind; behind
/// them come the functions that an exchange lists, and then others in the order in which they are
/// first named, the same on all ranks and where a plan is planned again. A window carries the
/// functions that it is the first to name.
class function_names {
 public:
  /// listed: of the exchange. closed: an engine knows no others.
  function_names(std::span<listed_function const> listed, bool closed) : closed_(closed) {
    for (listed_function const &one : listed)
      if (!one.of_library) place_of(static_cast<std::size_t>(one.kind), *one.type);
  }

  /// The number of F. first_named: the functions that the window is the first to name, F among them
  /// where no window has named it.
  template <plan_function F>
  [[gnu::always_inline]] std::uint16_t number(std::vector<named_function> &first_named) {
    constexpr function_kind kind = kind_of<F>();
    using library = library_of<kind>;
    if constexpr (library::template holds<F>) {
      constexpr std::uint16_t place = library::template number_of<F>;
      std::uint64_t &named = library_[static_cast<std::size_t>(kind)];
      if ((named >> place & 1) == 0) [[unlikely]] {
        named |= std::uint64_t{1} << place;
        first_named.push_back({place, &entry_of<F>});
      }
      return place;
    } else {
      return own_number(entry_of<F>, first_named);
    }
  }

 private:
  static constexpr std::array<std::size_t, function_kinds> library_sizes{
      library_functions::size, library_neighborhoods::size, library_reductions::size,
      library_scalars::size, library_whole_rows::size};
  static_assert(std::ranges::max(library_sizes) <= 64);

  struct own_function {
    std::type_info const *type;
    bool named;
  };

  /// The place of a function among its own of a kind, where it is added if it is new.
  std::size_t place_of(std::size_t kind, std::type_info const &type);

  std::uint16_t own_number(function_entry const &entry, std::vector<named_function> &first_named);

  bool closed_;
  std::array<std::uint64_t, function_kinds> library_{};  // which have been named, as bits
  std::array<std::vector<own_function>, function_kinds> own_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/function_names.ipp>
#endif
