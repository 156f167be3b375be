// Definitions of simulator/remarks.hpp.
#pragma once

#include <gossip/simulator/remarks.hpp>

#include <algorithm>
#include <span>

#include <gossip/core/inline.hpp>
#include <gossip/op/column_table.hpp>
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

}  // namespace gossip::detail
