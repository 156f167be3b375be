// Definitions of observer/class_accuracy.hpp.
#pragma once

#include <gossip/observer/class_accuracy.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE evaluation class_scores::mean(std::size_t k) const {
  evaluation all;
  double count = 0;
  for (std::size_t one = 0; one < classes(); ++one) {
    all.correct += sums[k * classes() + one].correct;
    all.loss += sums[k * classes() + one].loss;
    count += static_cast<double>(samples[one]);
  }
  return {all.correct / count, all.loss / count};
}

GOSSIP_INLINE std::vector<std::vector<std::uint32_t>> class_accuracy::samples_of_classes(
    std::uint64_t seed) const {
  std::vector<std::vector<std::uint32_t>> members(test_->classes());
  for (std::size_t i = 0; i < test_->size(); ++i)
    members[test_->labels()[i]].push_back(static_cast<std::uint32_t>(i));
  for (std::size_t one = 0; one < members.size(); ++one) {
    std::vector<std::uint32_t> chosen;
    auto const stream = static_cast<std::uint32_t>(2 + one);  // 0 and 1 are those of accuracy
    for (auto const k : detail::keyed_sample(seed, stream, members[one].size(), sample_.samples))
      chosen.push_back(members[one][k]);
    members[one] = std::move(chosen);
  }
  return members;
}

}  // namespace gossip
