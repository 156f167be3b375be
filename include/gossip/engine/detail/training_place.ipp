// Definitions of engine/training_place.hpp.
#pragma once

#include <gossip/engine/training_place.hpp>

#include <cmath>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip {

GOSSIP_INLINE std::string training_place(operation const &o) {
  std::string const where = "node " + std::to_string(o.a);
  if (o.kind() != operation_kind::train) return where + ", step " + std::to_string(o.step_number());
  work::train const &own = o.train();
  if (!own.names_share) return where + ", step " + std::to_string(own.batch);
  return where + ", batch " + std::to_string(own.batch) + " of share " + std::to_string(own.share);
}

GOSSIP_INLINE void refuse_loss(operation const &o, double loss) {
  if (std::isfinite(loss))
    throw row_fault(training_place(o) +
                        ": the gradient has a number that is not finite or beyond 2^20, too large "
                        "to be summed",
                    o, o.a, o.slot());
  throw row_fault(training_place(o) + ": the loss is " + detail::rounded_text(loss), o, o.a,
                  o.slot());
}

}  // namespace gossip
