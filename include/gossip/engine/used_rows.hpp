// The rows that an operation uses, from the fleet that has them.
#pragma once

#include <array>
#include <cstddef>

#include <gossip/fleet/leased_rows.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

/// All columns of the rows that an operation uses, for its length.
template <class Fleet>
leased_rows<typename Fleet::element> rows_used(Fleet const &rows, operation const &o) {
  row_uses const uses = uses_of(o);
  if (uses.every_node.slots() != 0 || uses.terms != 0)
    return rows.columns(uses.slots(), 0, rows.size().parameters);
  if (uses.second.slots() == 0) return rows.whole(uses.slots(), o.a);
  return rows.whole(uses.slots(), std::array{o.a, o.b});
}

}  // namespace gossip
