// Definitions of simulator/observers.hpp.
#pragma once

#include <gossip/simulator/observers.hpp>

#include <cmath>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/simulator/plan_report.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::size_t observer_list::test_bytes() const {
  std::vector<dataset const *> sets;
  std::size_t bytes = 0;
  for (seat const &one : all_) {
    if (!one.hooks->test_set) continue;
    dataset const &set = one.hooks->test_set(one.observer);
    if (std::ranges::find(sets, &set) != sets.end()) continue;
    sets.push_back(&set);
    bytes += outline_of(set).bytes(set.shape().size());
  }
  return bytes;
}

GOSSIP_INLINE void observer_list::name_state(state_visitor const &visit) const {
  std::size_t number = 0;
  for (seat const &one : all_) {
    auto const own = visit.within("observers/" + std::to_string(number++));
    if (one.hooks->name_state) one.hooks->name_state(one.observer, own);
  }
}

GOSSIP_INLINE void setters::take(record const &r, std::vector<named_number> const &before,
                                 int group) {
  for (std::size_t k = 0; k < std::min(before.size(), r.numbers.size()); ++k) {
    double const was = before[k].value, is = r.numbers[k].value;
    if (was == is || (std::isnan(was) && std::isnan(is))) continue;
    if (group >= 0 || groups_[k] < 0)
      throw input_error("observer: record::set", "a name that no other observer sets",
                        "'" + before[k].name + "'");
    groups_[k] = group;
  }
  groups_.resize(r.numbers.size(), group);
}

}  // namespace gossip::detail
