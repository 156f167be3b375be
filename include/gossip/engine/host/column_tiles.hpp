// Columns are worked on tile by tile, each tile by one core.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/backend/host_machine.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// Columns of a tile, as measured: memory delivers long regions of rows at its rate, also where
/// those of all nodes do not fit a core's cache.
inline constexpr std::size_t tile_columns = 2048;

/// f(worker, first, last) for tiles of columns begin to end, on all cores: of short rows at least
/// two a core.
template <class T, class F>
void each_tile(host_machine<T> const &machine, std::size_t begin, std::size_t end, F f) {
  if (begin >= end) return;
  std::size_t const pieces = 2 * machine.workers(), span = end - begin;
  std::size_t const fair = (span / pieces + lane_group) / lane_group * lane_group;
  std::size_t const width = std::clamp(fair, machine.columns_at_once(), tile_columns);
  machine.for_each((span + width - 1) / width, [&](std::size_t worker, std::size_t tile) {
    std::size_t const first = begin + tile * width;
    f(worker, first, std::min(first + width, end));
  });
}

}  // namespace gossip
