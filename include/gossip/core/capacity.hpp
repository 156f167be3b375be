// Vectors that keep their room from one window of a run to the next.
#pragma once

#include <cstddef>
#include <vector>

namespace gossip {

/// Room for n entries; where it must grow, for twice as many, so that windows of slightly different
/// sizes do not allocate again and again.
template <class V>
void grow_capacity(std::vector<V> &vector, std::size_t n) {
  if (vector.capacity() < n) vector.reserve(2 * n);
}

}  // namespace gossip
