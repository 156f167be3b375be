// Optimizers of several kinds in one type, for programs that choose one at run time: a simulator of
// it is compiled once, and an optimizer adds its arithmetic.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>

namespace gossip {

/// any_optimizer<sgd, adam>{adam{.rate = 0.01}}.
template <optimizer... Optimizers>
struct any_optimizer {
  std::variant<Optimizers...> kind;
  static constexpr double rate = 1.0;  // factor() is the whole rate
  static constexpr bool keeps_squares = (gossip::keeps_squares<Optimizers> || ...);

  double factor(double epoch) const {
    return with([epoch](auto const &o) { return rate_at(o, epoch); });
  }
  std::size_t rows(bool waits) const {
    return with([waits](auto const &o) { return optimizer_rows(o, waits); });
  }
  void check() const {
    with([](auto const &o) { check_optimizer(o); });
  }
  template <class T, class F>
  auto kernel(bool waits, F f) const {
    return with([waits, &f](auto const &o) { return with_kernel<T>(o, waits, f); });
  }

 private:
  template <class F>
  auto with(F f) const {
    return std::visit(std::move(f), kind);
  }
};
static_assert(optimizer<any_optimizer<sgd>>);

}  // namespace gossip
