// Definitions of clock/message_loss.hpp.
#pragma once

#include <gossip/clock/message_loss.hpp>

#include <gossip/clock/units.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

GOSSIP_INLINE void message_loss::check() const {
  check_probability("share", share);
  check_probability("burst_share", burst_share);
  check_probability("burst_begins", burst_begins);
  check_probability("burst_ends", burst_ends);
  if (burst_begins > 0 && !(burst_ends > 0))
    throw input_error("clock: loss: burst_ends", "a probability above 0, since bursts begin", "0");
  if (timeout < virtual_time(0))
    throw input_error("clock: loss: timeout", "0s or more", exact_duration(timeout));
  bool const ever = share < 1 || (burst_begins > 0 && burst_share < 1);
  if (then == after_loss::send_again && !ever)
    throw input_error("clock: loss: share", "less than 1 where lost messages are sent again", "1");
}

GOSSIP_INLINE bool link_losses::loses(node from, node to) {
  link_state &own = links_[std::uint64_t{from} << 32 | to];
  keyed_random draw(seed_, purpose::message_loss, from, to);
  if (own.sent == 0 && of_.burst_begins > 0) own.burst = draw.uniform() < of_.in_bursts();
  draw.seek(++own.sent);
  bool const lost = draw.uniform() < (own.burst ? of_.burst_share : of_.share);
  if (of_.burst_begins > 0 && draw.uniform() < (own.burst ? of_.burst_ends : of_.burst_begins))
    own.burst = !own.burst;
  return lost;
}

GOSSIP_INLINE transmission link_losses::in_turns(node from, node to, std::size_t bytes,
                                                 std::size_t turns) {
  if (free_ || !(again_ || gone_)) return {bytes, static_cast<std::uint32_t>(turns)};
  return counted(bytes, turns, tries_until(from, to, turns, [&] { return !loses(from, to); }), 1);
}

}  // namespace gossip
