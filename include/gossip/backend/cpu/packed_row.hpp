// Copies rows of planes so that what neighbouring targets of a convolution draw on lies side by
// side.
#pragma once

#include <algorithm>
#include <cstddef>

namespace gossip::host {

/// from (x, Lanes), the first `Copied` of each -> to (packed x, Copied) in the order of `Row`, with
/// zeros where there is no source; all zeros if `from` is null. The end of what was written.
template <class Row, std::size_t Lanes, std::size_t Copied, class T>
inline T *pack_row(T const *from, std::size_t source_width, T *to) {
  for (std::size_t const column : Row::sources) {
    if (from && column < source_width)
      std::copy_n(from + column * Lanes, Copied, to);
    else
      std::fill_n(to, Copied, T{0});
    to += Copied;
  }
  return to;
}

}  // namespace gossip::host
