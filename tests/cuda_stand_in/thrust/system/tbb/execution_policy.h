// Thrust's loops on the threads of TBB, for the backend of the host.
#pragma once

#include <tbb/parallel_for.h>
#include <thrust/iterator/counting_iterator.h>

namespace thrust {

namespace tbb {
struct par_t {};
inline constexpr par_t par{};
}  // namespace tbb

template <class T, class F>
void for_each(tbb::par_t, counting_iterator<T> first, counting_iterator<T> last, F const &f) {
  ::tbb::parallel_for(first.value, last.value, f);
}

}  // namespace thrust
