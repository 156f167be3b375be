// Random graphs that are drawn again until they are connected.
#pragma once

#include <cstdint>
#include <string>

#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/graph/components.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip::detail {

/// The connectedness that a random graph must have.
struct connectedness {
  std::string refusal;    ///< the sentence where no draw has it
  bool waived = false;    ///< the first draw is taken as it is
  bool directed = false;  ///< every node reaches every other along arcs
  double log_alone = 0;   ///< ln of the nodes of a draw that none is joined to, on average

  bool of(graph const &g) const { return directed ? is_strongly_connected(g) : is_connected(g); }
};

/// The first of draw(0), draw(1), ... that is connected as wanted, of at most 100; none is drawn
/// where some 40 nodes are alone: all are joined with a chance of about e^-40. Throws input_error.
template <class Draw>
graph connected_draw(connectedness const &wanted, Draw draw) {
  if (wanted.waived) return draw(0);
  bool const few_alone = wanted.log_alone < elementary::log(40.0);
  for (std::uint64_t attempt = 0; attempt < 100 && few_alone; ++attempt)
    if (graph found = draw(attempt); wanted.of(found)) return found;
  throw input_error(wanted.refusal);
}

}  // namespace gossip::detail
