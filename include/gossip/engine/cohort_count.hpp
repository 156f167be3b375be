// Cohorts that an engine has executed, and the trainings in them.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/plan/window.hpp>

namespace gossip {

class cohort_count {
 public:
  void add(std::size_t trainings) {
    cohorts_ += trainings > 0;
    trainings_ += trainings;
  }
  /// A window that was executed elsewhere.
  void pass_over(plan_window const &window) {
    cohorts_ += window.cohorts();
    trainings_ += window.trainings();
  }
  double mean() const {
    return static_cast<double>(trainings_) /
           static_cast<double>(std::max(cohorts_, std::size_t{1}));
  }

 private:
  std::size_t cohorts_ = 0, trainings_ = 0;
};

}  // namespace gossip
