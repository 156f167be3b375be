// The home of rows that do not lie in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gossip/fleet/file_store.hpp>
#include <gossip/fleet/row_home.hpp>
#include <gossip/fleet/row_store.hpp>
#include <gossip/fleet/row_tier.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// The home of rows that a tier streams.
template <class Row, template <class> class Buffer>
std::unique_ptr<row_home<Row>> make_tier(fleet_size const &size, std::vector<std::uint32_t> places,
                                         tier_shape const &shape, run_settings const &settings) {
  std::uint64_t const bytes =
      std::max<std::uint64_t>(row_store::page, tier_shape::stored_bytes<Row>(size));
  std::unique_ptr<row_store> store = settings.store
                                         ? settings.store(bytes)
                                         : std::make_unique<file_store>(settings.scratch, bytes);
  return std::make_unique<row_tier<Row, Buffer>>(size, shape, std::move(store), std::move(places));
}

}  // namespace gossip::detail
