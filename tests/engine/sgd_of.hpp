// SGD of one kind: engines on devices are compiled for each kernel that an optimizer may choose,
// and sgd chooses among five.
#pragma once

#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/sgd.hpp>

#include <cstddef>

namespace gossip::test {

enum class sgd_kind { plain, heavy, nesterov };

template <sgd_kind Kind>
struct sgd_of {
  double rate = 0.1, momentum = Kind == sgd_kind::plain ? 0.0 : 0.9, weight_decay = 0.0;

  void check() const {}
  template <class T, class F>
  auto kernel(bool waits, F f) const {
    T const beta = static_cast<T>(momentum), decay = static_cast<T>(weight_decay);
    if constexpr (Kind == sgd_kind::heavy) {
      return f(detail::heavy_ball<T>{beta, decay});
    } else if constexpr (Kind == sgd_kind::nesterov) {
      if (waits) return f(detail::nesterov_momentum<T, true>{beta, decay});
      return f(detail::nesterov_momentum<T, false>{beta, decay});
    } else {
      if (waits) return f(detail::plain_waiting<T>{decay});
      return f(detail::plain<T>{decay});
    }
  }
  std::size_t rows(bool waits) const {
    return kernel<float>(waits, [](auto k) { return decltype(k)::rows; });
  }
};

using plain_sgd = sgd_of<sgd_kind::plain>;
using heavy_sgd = sgd_of<sgd_kind::heavy>;
using nesterov_sgd = sgd_of<sgd_kind::nesterov>;
static_assert(optimizer<plain_sgd> && optimizer<heavy_sgd> && optimizer<nesterov_sgd>);

}  // namespace gossip::test
