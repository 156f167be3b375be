// Definitions of plan/refusals.hpp.
#pragma once

#include <gossip/plan/refusals.hpp>

#include <gossip/core/described.hpp>
#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void refuse_unknown(char const *verb, std::size_t named, std::size_t nodes,
                                  std::size_t servers) {
  throw error("exchange: plan." + std::string(verb) + ": expected " +
              (servers == 0 ? "a node below " + std::to_string(nodes)
                            : "a node below " + std::to_string(nodes) + " or one of the " +
                                  std::to_string(servers) + " servers after the nodes") +
              ", got " + std::to_string(named));
}

GOSSIP_INLINE void count_unusual(node i, planned_node &own, training_rows const &at, bool shared) {
  if (shared) refuse_node(i, "trains on its last batch or uncounted; expected a model of its own");
  if (at.batch == batch_choice::next || at.share) return;
  if (own.trained == 0) refuse_node(i, "trains on its last batch before it has had one");
  ++own.repeated;
}

GOSSIP_INLINE void require_scalar(node i, scalar const &from, std::uint64_t window) {
  if (from.window != window)
    refuse_node(i, from.window == 0 ? "reads a scalar that nothing computes"
                                    : "reads a scalar of an earlier window; expected a scalar that "
                                      "is computed in this round or event");
  if (from.owner != i)
    refuse_node(i, "reads a scalar of node " + std::to_string(from.owner) +
                       "; expected a scalar of its own");
}

GOSSIP_INLINE void require_tolerance(message_loss const &loss, exchange_properties const &of) {
  if (loss.any() && loss.then == after_loss::go_on && !of.tolerates_loss)
    throw input_error("clock: loss: then",
                      "send_again, for this exchange waits for every message (its properties do "
                      "not say tolerates_loss)",
                      "go_on");
}

GOSSIP_INLINE void require_tolerance(participation const &nodes, exchange_properties const &of,
                                     bool in_rounds, std::size_t clients) {
  if (nodes.scheme == participation_scheme::always) return;
  auto const got = value_names<participation_scheme>::names[static_cast<std::size_t>(nodes.scheme)];
  if (!in_rounds)
    throw input_error("clock: participation: scheme",
                      "always, for an exchange in events, which has no rounds", got);
  if (!of.tolerates_absence)
    throw input_error("clock: participation: scheme",
                      "always, for this exchange needs all nodes in every round (its properties do "
                      "not say tolerates_absence)",
                      got);
  double const in_a_round = nodes.share * static_cast<double>(clients);
  if (nodes.scheme != participation_scheme::cyclic && in_a_round < 1e-3)
    throw input_error("clock: participation: share",
                      "at least " + shortest(1e-3 / static_cast<double>(clients)) + " for " +
                          std::to_string(clients) +
                          " nodes, so that on average one node takes part in a thousand rounds, "
                          "since rounds without nodes take no virtual time",
                      shortest(nodes.share));
}

GOSSIP_INLINE void require_tolerance(outages const &of, exchange_properties const &x,
                                     bool in_rounds, bool known_at_once) {
  if (of.then == after_outage::wait) return;
  char const *expected = nullptr;
  if (!x.tolerates_loss)
    expected =
        "wait, for this exchange waits for every message (its properties do not say "
        "tolerates_loss)";
  else if (in_rounds && !x.tolerates_absence)
    expected =
        "wait, for this exchange needs all nodes in every round (its properties do not say "
        "tolerates_absence)";
  else if (in_rounds && !known_at_once)
    expected =
        "wait, for an exchange in rounds with contention or links that differ, where times are not "
        "known as rounds are planned";
  if (expected)
    throw input_error("clock: outages: then", expected,
                      value_names<after_outage>::names[static_cast<std::size_t>(of.then)]);
}

GOSSIP_INLINE void refuse_idle_round(round_number k, bool may_idle) {
  if (may_idle)
    throw error("clock: no node has trained in the " + std::to_string(most_idle_rounds) +
                " rounds up to round " + std::to_string(k) +
                ", since all messages were lost or all nodes were absent or down");
  throw error("exchange: on_round trains no node in round " + std::to_string(k) +
              ", so the run would never end");
}

GOSSIP_INLINE std::string lost_in_words(link_losses::fates const &of) {
  if (of.lost == 0) return "";
  std::string const messages = std::to_string(of.sent) + " messages are lost";
  return (of.lost == of.sent ? "all " : std::to_string(of.lost) + " of ") + messages;
}

GOSSIP_INLINE void require_training(std::uint64_t events, std::size_t nodes, node i,
                                    virtual_time now, link_losses::fates const &of) {
  if (events <= 1'000'000 + 1'000 * nodes) return;
  std::string const lost = lost_in_words(of);
  throw error("exchange: no training has ended in " + std::to_string(events) +
              " messages and timers up to " + shortest(static_cast<double>(now.count()) * 1e-9) +
              " s of virtual time, the last to " + "node " + std::to_string(i) + "; " +
              (lost.empty() ? "on_message or on_timer must let nodes train"
                            : lost + ", and nodes that train by messages wait for them"));
}

GOSSIP_INLINE void refuse_dry_events(std::uint64_t started, std::uint64_t wanted, bool some_down,
                                     link_losses::fates const &of) {
  std::string cause = lost_in_words(of);
  if (!cause.empty()) cause += ", and nodes wait for them, or ";
  if (cause.empty() && some_down) cause = "nodes wait for nodes that are down for good, or ";
  throw error("exchange: after " + std::to_string(started) + " of " + std::to_string(wanted) +
              " node-iterations no node trains any more; " + cause + "on_trained must train again");
}

}  // namespace gossip::detail
