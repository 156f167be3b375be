// The bytes of rows that a plan's operations read and write: the memory part of the roofline.
//
// Every operation counts by itself, each row that it reads once and each that it writes once. Not
// counted: what lies in workspace (gradients, activations, tiles), and the parameters that a
// training reads, for a matrix product reads its operands too and its rate covers that.
#pragma once

#include <cstddef>

#include <gossip/optimizer/sgd.hpp>
#include <gossip/plan/window.hpp>

namespace gossip::bench {

/// Rows that one node's absorb, step, and both at once read and write together.
struct optimizer_traffic {
  std::size_t absorb, step, absorb_and_step;
};

/// Heavy-ball momentum: absorb u -> u (and x with weight decay), step x, u -> x, both x, u -> x, u.
inline optimizer_traffic traffic_of(sgd const &o) {
  return {o.weight_decay > 0 ? 3U : 2U, 3, 4};
}

/// Rows read and written by the operations of a window of n nodes with a model each.
inline std::size_t rows_moved(plan_window const &window, std::size_t nodes,
                              optimizer_traffic const &optimizer) {
  std::size_t rows = 0;
  for (operation const &o : window.stream) switch (o.kind()) {
      case operation_kind::train:
        rows += o.train().steps() ? optimizer.absorb_and_step : optimizer.absorb;
        break;
      case operation_kind::step:
        rows += optimizer.step;
        break;
      case operation_kind::columns:
      case operation_kind::reduce_rows:
      case operation_kind::whole_rows:
        for (std::size_t k = 0; k < o.rows.size(); ++k)
          rows += std::size_t{o.rows[k].reads} + std::size_t{o.rows[k].writes};
        break;
      case operation_kind::sum:
        rows +=
            (o.sum().over_all_nodes ? nodes : o.sum().count) + (o.sum().to_all_nodes ? nodes : 1);
        break;
      case operation_kind::mix:
        rows += 2 * nodes;
        break;
      case operation_kind::reduce:
        rows += optimizer.absorb_and_step;
        break;
      case operation_kind::compute:
      case operation_kind::observe:
        break;
    }
  return rows;
}

}  // namespace gossip::bench
