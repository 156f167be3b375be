// The operations a plan is made of: plain data, small enough to stream.
#pragma once

#include <cstdint>

#include <gossip/core/node.hpp>

namespace gossip {

/// What an operation does to rows. x is the parameter row of a node.
enum class operation_kind : std::uint8_t {
  train,    ///< gradient of node a on its batch number `count`, absorbed into its optimizer rows
  step,     ///< x_a moves by what was absorbed; coefficient: the rate; count: its steps, from 1
  average,  ///< x_a = x_b = (x_a + x_b) / 2
  combine,  ///< x_a <- (1 - coefficient) x_a + coefficient x_b
  mix,      ///< X <- W X over all nodes; count: which matrix of the window
  reduce,  ///< the shared replica steps by the mean of all gradients; coefficient and count as step
  observe,  ///< observers look at the network; count: which observation of the window
};

/// One operation on the rows of one or two nodes, or of all.
struct operation {
  operation_kind kind;
  bool steps_at_once;  ///< a train whose step follows with nothing between: coefficient and after
  node a, b;
  std::uint32_t level;
  double coefficient;
  std::uint64_t count;
  std::uint64_t after;  ///< of a train with its step: what the step would have as count
};

/// Where a run stands: counted by the plan, the same on every machine.
struct progress_mark {
  std::uint64_t round = 0;            ///< rounds, or steps / nodes where there are none
  std::uint64_t node_iterations = 0;  ///< steps of all nodes together
  double epoch = 0;                   ///< samples trained on by all nodes / training samples
  virtual_time time{0};
  std::uint64_t bytes_sent = 0;
};

/// A point at which observers look, and which of their cadences are due (bit c: cadence c).
struct observation {
  progress_mark mark;
  std::uint64_t due = 0;
  bool last = false;
};

}  // namespace gossip
