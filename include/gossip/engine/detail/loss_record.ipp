// Definitions of engine/loss_record.hpp.
#pragma once

#include <gossip/engine/loss_record.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE double loss_record::take_mean() {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sum += sums_[i];
    count += static_cast<double>(counts_[i]);
    sums_[i] = 0;
    counts_[i] = 0;
  }
  if (count > 0) last_ = sum / count;
  return last_;
}

GOSSIP_INLINE void loss_record::name_state(state_visitor const &visit, std::span<node const> held) {
  visit.by_owner("sums", sums_.size(), held, [&](node i) -> auto & { return sums_[i]; });
  visit.by_owner("counts", sums_.size(), held, [&](node i) -> auto & { return counts_[i]; });
  visit.value("last mean", last_);
}

}  // namespace gossip
