// The distance between the mean models of two observations, as a share of their norm.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// Adds update_to_weight = |x - y| / |y| to a record, over the parameters: x is the mean model, y
/// what it was at the observation before. Nothing at the first one, and where |y| is 0. Inside
/// every(rounds{1}, ...) it is the ratio of a round's update to the weights. Keeps d numbers.
class update_ratio {
 public:
  template <class Context>
  void measure(Context &context, record &r) {
    auto const *const x = context.mean_model();
    double moved = 0, size = 0;
    for (std::size_t c = 0; c < before_.size(); ++c) {
      double const away = static_cast<double>(x[c]) - before_[c];
      moved += away * away;
      size += before_[c] * before_[c];
    }
    if (size > 0) r.set("update_to_weight", std::sqrt(moved / size));
    before_.assign(x, x + context.outline().parameters);
  }

  void name_state(state_visitor const &visit) { visit.list("update_ratio/before", before_); }

 private:
  std::vector<double> before_;  // (d), or empty
};

}  // namespace gossip
