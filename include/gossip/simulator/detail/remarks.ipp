// Definitions of simulator/remarks.hpp.
#pragma once

#include <gossip/simulator/remarks.hpp>

#include <algorithm>
#include <limits>
#include <span>

#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/influence.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::string remark_on_stop(std::string const &name, exchange_rounds const &r,
                                         std::size_t nodes, std::uint64_t node_iterations,
                                         bool known) {
  std::uint64_t const of_round = r.trainings(nodes);
  return name + ": the run has " + (known ? "" : "at least ") +
         counted(node_iterations / of_round, "round") + " of " +
         counted(r.clients > 0 ? r.clients : nodes, "client") + " with " +
         counted(r.steps, "local step") + " each, " + std::to_string(of_round) +
         " node-iterations per round";
}

GOSSIP_INLINE std::string remark_on_period(std::string const &name, exchange_rounds const &r,
                                           std::uint64_t rounds) {
  if (r.act == nullptr) return "";
  std::string const act = r.act;
  if (rounds < r.period)
    return name + ": no " + act + " comes within the run: the " + (r.once ? "only one" : "first") +
           " would come after " + counted(r.period, "round") + ", and the run has " +
           std::to_string(rounds);
  std::uint64_t const rest = rounds % r.period;
  if (r.once || rest == 0) return "";
  return name + ": the last " + act + " comes after round " + std::to_string(rounds - rest) +
         " of " + std::to_string(rounds) + ", and " + counted(rest, "round") +
         (rest == 1 ? " follows it" : " follow it");
}

GOSSIP_INLINE std::string remark_on_reach(std::string const &name, exchange_outline const &of,
                                          std::uint64_t bytes, std::uint64_t node_iterations) {
  std::string const within = " within the run's " + counted(node_iterations, "node-iteration");
  if (bytes == 0) return name + " sends nothing" + within;
  return name + " sends messages, but no message changes the model of " +
         (of.servers > 0 ? "a server" : "a node") + within;
}

GOSSIP_INLINE std::optional<std::pair<node, node>> strangers_in(plan_window const &window,
                                                                graph const &network) {
  constexpr std::size_t most = std::size_t{1} << 16;
  for (operation const &o : std::span(window.stream).first(std::min(window.stream.size(), most)))
    if ((applies<op::mean_of_two>(o) || applies<op::interpolation>(o)) &&
        std::max(o.a, o.b()) < network.nodes() &&  // not with a server or a message
        !network.has_edge(o.a, o.b()) && !network.has_edge(o.b(), o.a))
      return std::pair{o.a, o.b()};
  return std::nullopt;
}

/// Bytes that a run has sent by the window in which something reaches a model, or in all. first:
/// the first window of the plan, next: its others.
GOSSIP_INLINE std::uint64_t bytes_until_reached(window_source const &next, plan_window &first,
                                                planned_influence &reach) {
  auto const take = [&](plan_window &window) {
    if (window.asks) window.answers->push_back(std::numeric_limits<double>::quiet_NaN());
    reach.count(window);
    return window.end.bytes_sent;
  };
  std::uint64_t bytes = take(first);
  for (plan_window window; !reach.reached() && next(window, plan_window::no_limit);)
    bytes = take(window);
  return bytes;
}

/// True where no node is absent from a round, so that the number of nodes in a round is known.
GOSSIP_INLINE bool all_in_every_round(prepared_clock const &clock) {
  return clock.participation.scheme == participation_scheme::always &&
         clock.outages.then == after_outage::wait;
}

GOSSIP_INLINE std::vector<std::string> remarks_on(held_exchange const &exchange,
                                                  graph const &network, prepared_clock const &clock,
                                                  plan_settings const &plan,
                                                  window_source const &next, plan_window &first) {
  exchange_outline const of = exchange.outline();
  std::string const name = exchange.in_words().name;
  std::size_t const nodes = network.nodes();
  std::vector<std::string> all = exchange.remarks(network);
  auto const add = [&](std::string sentence) {
    if (!sentence.empty()) all.push_back(std::move(sentence));
  };
  bool const all_present = all_in_every_round(clock);
  if (of.in_rounds && of.rounds.trainings(nodes) != nodes)
    add(remark_on_stop(name, of.rounds, nodes, plan.node_iterations,
                       all_present && clock.loss.then == after_loss::send_again));
  if (of.in_rounds && all_present)
    add(remark_on_period(name, of.rounds, plan.node_iterations / of.rounds.trainings(nodes)));
  if (of.communicates && nodes + of.servers > 1) {
    planned_influence reach(nodes, of.servers);
    std::uint64_t const bytes = bytes_until_reached(next, first, reach);
    if (!reach.reached()) add(remark_on_reach(name, of, bytes, plan.node_iterations));
  }
  if (auto const pair = strangers_in(first, network))
    add(name + " averages or combines rows of nodes " + std::to_string(pair->first) + " and " +
        std::to_string(pair->second) + ", which are not neighbors in the network");
  return all;
}

}  // namespace gossip::detail
