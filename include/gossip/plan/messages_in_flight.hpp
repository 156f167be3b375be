// Messages that have been sent and not yet handed over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gossip/plan/completion.hpp>
#include <gossip/plan/message.hpp>

namespace gossip {

struct message_on_its_way {
  message_header what;
  completion arrival{};
  std::uint64_t delivery = 0;  // number of the first that it was on its way at
  bool lost = false;           // rounds: its receiver waits in vain
};

namespace detail {

/// Takes out those that were on their way at `delay` deliveries before this one; ascending by
/// receiver, sender and number.
inline std::vector<message_on_its_way> take_arrived(std::vector<message_on_its_way> &all,
                                                    std::uint64_t delivery, std::uint64_t delay) {
  using flight = message_on_its_way;
  auto const there = std::stable_partition(
      all.begin(), all.end(), [&](flight const &f) { return delivery - f.delivery < delay; });
  std::vector<flight> arrived(there, all.end());
  all.erase(there, all.end());
  std::sort(arrived.begin(), arrived.end(), [](flight const &a, flight const &b) {
    return std::tuple(a.what.to, a.what.from, a.what.number) <
           std::tuple(b.what.to, b.what.from, b.what.number);
  });
  return arrived;
}

}  // namespace detail

}  // namespace gossip
