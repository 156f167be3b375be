// State of an engine on a device between windows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/engine/state.hpp>
#include <gossip/fleet/named_rows.hpp>

namespace gossip {

/// Of a device_work between windows. Waits for the device.
template <class Work>
void name_device_state(state_visitor const &visit, Work &work) {
  auto const &backend = work.backend();
  name_engine_state(visit, work.fleet_of_rows(), device_row_copies{backend}, work.losses(),
                    work.precision(), work.writes());
  auto const &there = work.gathered_sums();
  std::vector<std::int64_t> here(there.size());
  if (here.empty()) return;
  backend.download(here.data(), there.data(), here.size());
  name_sums(visit, std::span(here).first(here.size() / 2), std::span(here).last(here.size() / 2));
  backend.upload(there.data(), here.data(), here.size());
}

}  // namespace gossip
