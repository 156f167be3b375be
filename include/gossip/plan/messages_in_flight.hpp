// Messages that have been sent and not yet handed over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/plan/completion.hpp>
#include <gossip/plan/message.hpp>

namespace gossip {

/// A message between its sending and the call of on_message.
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
  std::vector<flight> arrived, waiting;
  for (flight const &f : all) (delivery - f.delivery < delay ? waiting : arrived).push_back(f);
  all = std::move(waiting);
  std::sort(arrived.begin(), arrived.end(), [](flight const &a, flight const &b) {
    return std::tuple(a.what.to, a.what.from, a.what.number) <
           std::tuple(b.what.to, b.what.from, b.what.number);
  });
  return arrived;
}

}  // namespace detail

}  // namespace gossip
