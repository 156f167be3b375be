// Remarks on a run before it: what its user may not expect of it, a sentence each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/influence.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/provenance.hpp>

namespace gossip {

/// The remarks that an exchange makes itself on a graph; none where it has no such member.
template <class X>
std::vector<std::string> own_remarks(X const &x, graph const &g) {
  if constexpr (makes_remarks<X>)
    return x.remarks(g);
  else
    return {};
}

namespace detail {

inline std::string counted(std::uint64_t count, std::string const &what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// The rounds of clients that a run has. known: no client is absent from one, and no message lost.
std::string remark_on_stop(std::string const &name, exchange_rounds const &r, std::size_t nodes,
                           std::uint64_t node_iterations, bool known);

/// What an exchange does at the end of a period, where no period ends within the run, or rounds
/// follow the last; empty where neither is so.
std::string remark_on_period(std::string const &name, exchange_rounds const &r,
                             std::uint64_t rounds);

/// A run in which nothing is sent, or nothing that is sent reaches a model.
std::string remark_on_reach(std::string const &name, exchange_outline const &of,
                            std::uint64_t bytes, std::uint64_t node_iterations);

/// Bytes that a run has sent by the window in which something reaches a model, or in all. first:
/// the first window of the planner.
template <class Planner>
std::uint64_t bytes_until_reached(Planner &planner, plan_window &first, planned_influence &reach) {
  auto const take = [&](plan_window &window) {
    if (window.asks) window.answers->push_back(std::numeric_limits<double>::quiet_NaN());
    reach.count(window);
    return window.end.bytes_sent;
  };
  std::uint64_t bytes = take(first);
  for (plan_window window; !reach.reached() && planner.next(window);) bytes = take(window);
  return bytes;
}

/// The first two nodes that average or combine rows in a window and are no neighbors, as after a
/// slip in an index; of the first operations alone, which shows what an exchange always does.
std::optional<std::pair<node, node>> strangers_in(plan_window const &window, graph const &network);

/// Whether no node is absent from a round, so that their number is known.
inline bool all_in_every_round(prepared_clock const &clock) {
  return clock.participation.scheme == participation_scheme::always &&
         clock.outages.then == after_outage::wait;
}

/// What is known of a run before it.
struct preview {
  graph_report graph;
  std::vector<std::string> remarks;
};

/// All of a run on this network. planner: of the plan, after its first window; it is read as far as
/// is needed, which is the first window but where nothing reaches a model.
template <class Exchange, class Planner>
std::vector<std::string> remarks_on(Exchange const &exchange, graph const &network,
                                    prepared_clock const &clock, plan_settings const &plan,
                                    Planner &planner, plan_window &first) {
  exchange_outline const of = outline_of_exchange(exchange);
  std::string const name = policy_in_words(exchange).name;
  std::size_t const nodes = network.nodes();
  std::vector<std::string> all = own_remarks(exchange, network);
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
    std::uint64_t const bytes = bytes_until_reached(planner, first, reach);
    if (!reach.reached()) add(remark_on_reach(name, of, bytes, plan.node_iterations));
  }
  if (auto const pair = strangers_in(first, network))
    add(name + " averages or combines rows of nodes " + std::to_string(pair->first) + " and " +
        std::to_string(pair->second) + ", which are not neighbors in the network");
  return all;
}

}  // namespace detail

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/remarks.ipp>
#endif
