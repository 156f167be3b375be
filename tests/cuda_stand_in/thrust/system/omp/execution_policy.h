// Thrust's loops on the threads of OpenMP, for the backend of the host.
#pragma once

#include <thrust/iterator/counting_iterator.h>

namespace thrust {

namespace omp {
struct par_t {};
inline constexpr par_t par{};
}  // namespace omp

template <class T, class F>
void for_each(omp::par_t, counting_iterator<T> first, counting_iterator<T> last, F f) {
#pragma omp parallel for
  for (T i = first.value; i < last.value; ++i) f(i);
}

}  // namespace thrust
