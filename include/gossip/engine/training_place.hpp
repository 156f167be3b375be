// The training that an error is about, in words, and the refusal of its loss.
#pragma once

#include <cmath>
#include <string>

#include <gossip/core/number_text.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip {

/// The node, and the batch or step number, of a training or of a step that is its own operation.
inline std::string training_place(operation const &o) {
  std::string const where = "node " + std::to_string(o.a);
  if (o.kind() != operation_kind::train) return where + ", step " + std::to_string(o.step_number());
  work::train const &own = o.train();
  if (!own.names_share) return where + ", step " + std::to_string(own.batch);
  return where + ", batch " + std::to_string(own.batch) + " of share " + std::to_string(own.share);
}

/// Throws row_fault for a training whose loss is no number, or whose gradient all-reduce cannot
/// add.
[[noreturn]] inline void refuse_loss(operation const &o, double loss) {
  if (std::isfinite(loss))
    throw row_fault(training_place(o) +
                        ": the gradient has a number that is not finite or beyond 2^20, too large "
                        "to be summed",
                    o, o.a, o.slot());
  throw row_fault(training_place(o) + ": the loss is " + detail::rounded_text(loss), o, o.a,
                  o.slot());
}

}  // namespace gossip
