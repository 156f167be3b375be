// Definitions of data/digits.hpp.
#pragma once

#include <gossip/data/digits.hpp>

#include <numeric>
#include <span>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

GOSSIP_INLINE std::pair<dataset, dataset> digits(std::string const &folder) {
  constexpr std::size_t training = 8000;
  std::string const images = detail::find_idx(folder, "t10k-images", "idx3-ubyte");
  std::string const labels = detail::find_idx(folder, "t10k-labels", "idx1-ubyte");
  dataset const all = read_idx(images, labels, 10, mnist_scale);
  if (all.size() != 10'000) throw input_error(folder, "10000 images", std::to_string(all.size()));
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  keyed_random random(0, purpose::partition, 0, 0);
  detail::shuffle(order, random);
  auto const chosen = std::span<std::uint32_t const>(order);
  return {all.subset(chosen.first(training)).named("digits train"),
          all.subset(chosen.subspan(training)).named("digits test")};
}

}  // namespace gossip
