// Trainings and steps of a plan, as far as they are not usual.
#pragma once

#include <gossip/plan/plan.hpp>

#include <string>

#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/work.hpp>

namespace gossip {

GOSSIP_INLINE void plan::reset_optimizer(node i) {
  require_own_rows();
  require_owner("reset_optimizer", i);
  for (std::size_t k = 0; k < settings_.optimizer_rows; ++k)
    writer_.columns(i, i, number_of<op::clear>(), rows_.optimizer_cleared(k), 0.0);
  nodes_[i].stepped = 0;
}

GOSSIP_INLINE work::train plan::training_on_share(node i, training_rows const &at) {
  if (drawn_.empty())
    refuse(i, "trains on share " + std::to_string(*at.share) +
                  " of the data; expected std::size_t data_shares() const with their "
                  "number");
  if (!at.share || *at.share >= drawn_.size())
    refuse(i, "trains on " + (at.share ? "share " + std::to_string(*at.share) : "no share") +
                  " of the data; expected one of the " + std::to_string(drawn_.size()) +
                  " that data_shares() says");
  std::uint32_t &next = drawn_[*at.share];
  if (at.batch == batch_choice::again && next == 0)
    refuse(i, "trains on the last batch of share " + std::to_string(*at.share) +
                  " of the data, which has had no batch");
  if (at.batch == batch_choice::next)
    next = checked_index(std::size_t{next} + 1, "plan: batches of a share of the data");
  return {.counts = at.counts, .names_share = true, .share = *at.share, .batch = next - 1};
}

}  // namespace gossip
