// Definitions of plan/owner_times.hpp.
#pragma once

#include <gossip/plan/owner_times.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void owner_times::transfer(node i, node j, std::size_t bytes, bool both) {
  if (!undisturbed_)
    return transfer_disturbed(
        i, j, both ? losses_.exchange(i, j, bytes) : losses_.message(j, i, bytes), both);
  free_at_[i] = time_after(free_at_[i], clock_.transfer_time(bytes));
}

GOSSIP_INLINE bool owner_times::leaves_out(node i, node j, virtual_time t, bool at_once,
                                           bool waits) {
  if (always_up()) return false;
  auto const until = unsent(i, j, t, at_once);
  if (until && waits && *until == never) refuse(j, i);
  if (until && waits) owed_.emplace_back(j, *until);
  return until.has_value();
}

GOSSIP_INLINE std::uint64_t owner_times::reduce(std::size_t row_bytes) {
  std::uint64_t const all = 2 * (nodes_ - 1) * row_bytes;
  if (collective_ == collective::chain) {
    chain([&](node from, node to, std::size_t k) {
      return losses_.in_turns(from, to, bytes_of_part(row_bytes, parts_, k), 1);
    });
    return all;
  }
  if (collective_ != collective::ring) return hops(row_bytes);
  ring(2 * nodes_ - 2, [&](node i) { return bytes_on_ring(row_bytes, nodes_, i); });
  return all;
}

GOSSIP_INLINE std::optional<virtual_time> owner_times::unsent_from(node i, node j,
                                                                   virtual_time ready,
                                                                   virtual_time due) const {
  virtual_time const up = clock_.both_up(i, j, ready);
  if (!excludes()) return up == never ? std::optional(never) : std::nullopt;
  if (up - due <= clock_.patience()) return std::nullopt;
  return clock_.patience() > virtual_time(0) ? time_after(due, clock_.patience()) : virtual_time(0);
}

[[gnu::noinline]] GOSSIP_INLINE bool owner_times::waits_in_vain(node i, node j, virtual_time t,
                                                                completion *beside) {
  auto const until = unsent_to(i, j, t, beside);
  if (!until) return false;
  if (*until == never) refuse(i, j);
  if (beside)
    *beside = {*until, {}};
  else
    wait_until(i, *until);
  return true;
}

GOSSIP_INLINE std::uint64_t owner_times::hops(std::size_t row_bytes) {
  std::uint64_t all = 0;
  each_hop(collective_, nodes_, row_bytes,
           [&](node i, node j, std::size_t bytes, std::optional<std::size_t> answer) {
             all += bytes + answer.value_or(0);
             transmission const there = losses_.in_turns(i, j, bytes, 1);
             transmission const back =
                 answer ? losses_.in_turns(j, i, *answer, 1) : transmission(0);
             hop(i, j, there, answer ? &back : nullptr);
           });
  write_all();
  return all;
}

}  // namespace gossip
