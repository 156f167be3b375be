// Teams of tests, beside gossip::op::one_thread.
#pragma once

#include <cstddef>

namespace gossip::test {

/// A team of many threads, whose indices come one by one and from the last to the first.
struct from_behind {
  template <class F>
  void each(std::size_t count, F f) const {
    for (std::size_t i = count; i-- > 0;) f(i);
  }
  template <class P>
  std::size_t count(std::size_t count, P p) const {
    std::size_t found = 0;
    for (std::size_t i = count; i-- > 0;) found += p(i);
    return found;
  }
};

}  // namespace gossip::test
