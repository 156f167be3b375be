// A loop whose count is known at compile time, none included.
#pragma once

#include <cstddef>
#include <utility>

namespace gossip {

/// f(0), f(1), ..., f(Count - 1)
template <std::size_t Count, class F>
constexpr void repeat(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(I), ...);
  }(std::make_index_sequence<Count>{});
}

/// f(0), f(1) and so on, at most Count of them: the first that returns false is the last.
template <std::size_t Count, class F>
constexpr void repeat_while(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void)(f(I) && ...);
  }(std::make_index_sequence<Count>{});
}

}  // namespace gossip
