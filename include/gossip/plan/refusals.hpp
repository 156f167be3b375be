// Errors that end a run because its exchange cannot have meant it, a sentence each.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip::detail {

[[noreturn]] inline void refuse_node(node i, std::string const &what) {
  throw error("exchange: node " + std::to_string(i) + " " + what);
}

/// A verb or a question names a node that is not there.
[[noreturn]] void refuse_unknown(char const *verb, std::size_t named, std::size_t nodes,
                                 std::size_t servers);

/// An exchange that ignores how its network changes asks for the network.
[[noreturn]] inline void refuse_ignored_network() {
  throw error(
      "exchange: asks for the network or for neighbors on a network that changes by rounds; its "
      "properties say when_network_changes = network_changes::ignored");
}

/// A verb gives a coefficient that is infinite or no number.
[[noreturn]] inline void refuse_coefficient(char const *verb, node i, double got) {
  throw error("exchange: plan." + std::string(verb) + ": expected a finite coefficient of node " +
              std::to_string(i) + ", got " + shortest(got));
}
inline void require_finite(char const *verb, node i, double coefficient) {
  if (!std::isfinite(coefficient)) [[unlikely]]
    refuse_coefficient(verb, i, coefficient);
}

/// A step needs a gradient that no step has taken.
inline void require_gradient(node i, planned_node const &own) {
  if (!own.absorbed)
    refuse_node(i,
                own.trained == 0 ? "steps before it has trained" : "steps twice by one gradient");
}

/// A training on the last batch, or one that does not count, of a node with a model of its own.
void count_unusual(node i, planned_node &own, training_rows const &at, bool shared);

/// An operation of node i reads scalars of its own, computed within its window.
void require_scalar(node i, scalar const &from, std::uint64_t window);

/// Messages that are lost for good belong to exchanges that go on without them.
void require_tolerance(message_loss const &loss, exchange_properties const &of);

/// Nodes that do not take part in a round belong to exchanges that go on without them. A round with
/// nobody takes no time and is not free: many of them in a row are refused by their number.
void require_tolerance(participation const &nodes, exchange_properties const &of, bool in_rounds,
                       std::size_t clients);

/// Nodes that are down and not waited for belong to exchanges that go on without them; in rounds,
/// where times must be known as rounds are planned.
void require_tolerance(outages const &of, exchange_properties const &x, bool in_rounds,
                       bool known_at_once);

/// Rounds in a row that may pass without a training where losses or absences leave none.
inline constexpr std::uint64_t most_idle_rounds = 100'000;

/// may_idle: messages that are lost, or nodes that are absent, can leave a round without trainings.
[[noreturn]] void refuse_idle_round(round_number k, bool may_idle);

/// What has become of messages that may be lost for good; empty where none is.
std::string lost_in_words(link_losses::fates const &of);

/// Throws error where too many messages and timers have come, the last to node i at `now`, since a
/// training ended.
void require_training(std::uint64_t events, std::size_t nodes, node i, virtual_time now,
                      link_losses::fates const &of);

/// some_down: nodes that are down for good can be why.
[[noreturn]] void refuse_dry_events(std::uint64_t started, std::uint64_t wanted, bool some_down,
                                    link_losses::fates const &of);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/refusals.ipp>
#endif
