// A topology, an optimizer and a clock of any kind, as a run asks them: their types end here, as
// types of exchanges do in simulator/held_exchange.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip::detail {

struct held_topology {
  std::optional<std::size_t> nodes;  ///< number of nodes; none: the graph has to be built first
  std::function<graph(std::uint64_t seed)> build;

  template <class Topology>
  static held_topology of(Topology topology) {
    held_topology held;
    if constexpr (requires { std::size_t{topology.nodes}; }) held.nodes = topology.nodes;
    held.build = [topology = std::move(topology)](std::uint64_t seed) {
      return topology.build(seed);
    };
    return held;
  }
};

/// Arithmetic: of the engines of a run, see run_types.
template <class Arithmetic>
struct held_optimizer {
  std::size_t rows;                          ///< number of rows of its state, for each node
  std::function<double(double epoch)> rate;  ///< learning rate
  std::function<Arithmetic()> arithmetic;
  fact_list facts;  ///< its members, for ranks to compare

  /// waits: others may touch a model between its gradient and its step; make(optimizer): the
  /// arithmetic.
  template <class Optimizer, class Make>
  static held_optimizer of(Optimizer const &optimizer, bool waits, Make make) {
    held_optimizer held{optimizer_rows(optimizer, waits),
                        [optimizer](double epoch) { return rate_at(optimizer, epoch); },
                        [optimizer, make] { return make(optimizer); },
                        {}};
    add_facts(held.facts, "the optimizer", optimizer);
    return held;
  }
};

struct held_clock {
  std::function<read_clock(std::size_t nodes)> read;
  fact_list facts;  ///< its members, for ranks to compare

  template <class Compute>
  static held_clock of(virtual_clock<Compute> const &clock) {
    held_clock held{[clock](std::size_t nodes) { return detail::read(clock, nodes); }, {}};
    add_facts(held.facts, "the clock", clock);
    return held;
  }
};

}  // namespace gossip::detail
