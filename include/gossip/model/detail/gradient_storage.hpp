// Memory of the gradients of all values of a model in the backward pass: planned at compile time,
// so that memory is used again as soon as a gradient has been read for the last time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <gossip/model/detail/wiring.hpp>

namespace gossip::detail {

/// A backward step's part in the gradient of a value that the step reads.
enum class hand_on {
  nothing,  ///< the value is a sample
  same,     ///< it is the gradient of the step's output, in the same place
  write,    ///< the step is the first to give it
  add,      ///< it is added to what later steps gave
};

/// Offsets are in numbers a lane. A value's gradient begins at offset[value]; a step that adds
/// writes at aside[step] first.
template <std::size_t Steps>
struct gradient_storage {
  std::array<hand_on, Steps> first{}, second{};
  std::array<std::size_t, Steps + 1> offset{};
  std::array<std::size_t, Steps> aside{};
  std::size_t size = 0;
};

/// One region of memory and the steps, counted from the front, during which it is in use.
struct region_in_use {
  std::size_t begin, size, first_step, last_step;
};

template <class... Steps>
constexpr auto plan_gradients(step_list<Steps...>) {
  constexpr std::size_t n = sizeof...(Steps);
  constexpr std::size_t in[n] = {Steps::in...}, second[n] = {Steps::second...};
  constexpr bool joins[n] = {joins_two<typename Steps::layer>...};
  constexpr bool passes[n] = {passes_gradient_on<typename Steps::layer>...};
  constexpr std::size_t out_size[n] = {Steps::layer::out.size()...};
  gradient_storage<n> plan;

  // Values that share one gradient are named after the last of them.
  std::array<std::size_t, n + 1> name{};
  for (std::size_t v = 0; v <= n; ++v) name[v] = v;
  std::array<bool, n + 1> given{};
  given[n] = true;
  for (std::size_t i = n; i-- > 0;) {
    auto const give = [&](std::size_t value, bool same_as_other, std::size_t other) {
      if (value == 0) return hand_on::nothing;
      bool const before = given[value];
      given[value] = true;
      if (before) return hand_on::add;
      if (!same_as_other) return hand_on::write;
      name[value] = name[other];
      return hand_on::same;
    };
    plan.first[i] = give(in[i], passes[i], i + 1);
    plan.second[i] = joins[i] ? give(second[i], true, in[i]) : hand_on::nothing;
  }

  // A gradient is in use from the step that gives it first down to the one that made its value.
  std::array<std::size_t, n + 1> last{}, lowest{};
  for (std::size_t v = 1; v <= n; ++v) last[v] = lowest[v] = v - 1;
  for (std::size_t v = n; v >= 1; --v) lowest[name[v]] = std::min(lowest[name[v]], v - 1);
  last[n] = n;  // the loss gives it
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t const value : {in[i], second[i]})
      if (value > 0) last[name[value]] = std::max(last[name[value]], i);

  std::array<region_in_use, 2 * n + 1> used{};
  std::size_t count = 0;
  auto const place = [&](std::size_t size, std::size_t first_step, std::size_t last_step) {
    auto const fits = [&](std::size_t begin) {
      for (std::size_t u = 0; u < count; ++u)
        if (first_step <= used[u].last_step && used[u].first_step <= last_step &&
            begin < used[u].begin + used[u].size && used[u].begin < begin + size)
          return false;
      return true;
    };
    std::size_t best = 0;
    if (!fits(0)) {
      best = static_cast<std::size_t>(-1);
      for (std::size_t u = 0; u < count; ++u)
        if (used[u].begin + used[u].size < best && fits(used[u].begin + used[u].size))
          best = used[u].begin + used[u].size;
    }
    used[count++] = {best, size, first_step, last_step};
    plan.size = std::max(plan.size, best + size);
    return best;
  };
  for (std::size_t v = n; v >= 1; --v)
    if (name[v] == v) plan.offset[v] = place(out_size[v - 1], lowest[v], last[v]);
  for (std::size_t v = n; v >= 1; --v) plan.offset[v] = plan.offset[name[v]];
  for (std::size_t i = n; i-- > 0;)
    if (plan.first[i] == hand_on::add && !passes[i])
      plan.aside[i] = place(out_size[in[i] - 1], i, i);
  return plan;
}

}  // namespace gossip::detail
