// State of an engine on a device between windows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/cpu/threads.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/engine/state.hpp>
#include <gossip/fleet/named_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip {

/// Of a device_work between windows. Waits for the device.
template <class Work>
void name_device_state(state_visitor const &visit, Work &work) {
  auto const &backend = work.backend();
  name_engine_state(visit, work.fleet_of_rows(), device_row_copies{backend, host_threads{}},
                    work.losses(), work.scaling(), work.writes());
  auto const &on_device = work.gathered_sums();
  std::vector<std::int64_t> on_host(on_device.size());
  if (on_host.empty()) return;
  backend.download(on_host.data(), on_device.data(), on_host.size());
  std::span const sums(on_host);
  name_sums(visit, sums.first(sums.size() / 2), sums.last(sums.size() / 2));
  backend.upload(on_device.data(), on_host.data(), on_host.size());
}

/// The extreme number of a row of device_work; waits for it.
template <class Work>
std::optional<extreme_number> extreme_on_device(Work const &work, node i, std::uint8_t slot) {
  using row_type = typename Work::fleet_type::element;
  std::vector<row_type> row(work.size().parameters);
  auto const there = work.fleet_of_rows().whole(used_slots{std::uint32_t{1} << slot}, i);
  work.backend().download(row.data(), there.row(slot, i), row.size());
  return extreme_of(std::span(row));
}

}  // namespace gossip
