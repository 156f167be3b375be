// Definitions of plan/function_names.hpp.
#pragma once

#include <gossip/plan/function_names.hpp>

#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/type_name.hpp>

namespace gossip {

GOSSIP_INLINE std::size_t function_names::place_of(std::size_t kind, std::type_info const &type) {
  std::vector<own_function> &own = own_[kind];
  std::size_t at = 0;
  while (at < own.size() && *own[at].type != type) ++at;
  if (at == own.size()) own.push_back({&type, false});
  return at;
}

GOSSIP_INLINE std::uint16_t function_names::own_number(function_entry const &entry,
                                                       std::vector<named_function> &first_named) {
  auto const kind = static_cast<std::size_t>(entry.kind());
  std::size_t const known = own_[kind].size(), at = place_of(kind, *entry.type);
  if (closed_ && at == known)
    throw error("exchange: names the function " + detail::type_name(*entry.type) +
                ", which a device does not know; expected it in using functions = "
                "gossip::function_list<...> of the exchange, or of the basic_any_exchange that "
                "holds it. See docs/policies/exchange.md");
  auto const number = static_cast<std::uint16_t>(library_sizes[kind] + at);
  if (!std::exchange(own_[kind][at].named, true)) first_named.push_back({number, &entry});
  return number;
}

}  // namespace gossip
