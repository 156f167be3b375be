// Memory layout of a model: parameters in the row of a node, values in its workspace, and the order
// in which a batch goes through the steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include <gossip/model/detail/gradient_storage.hpp>
#include <gossip/model/detail/wiring.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip::detail {

/// Parameters whose gradients the chunks of a batch may give side by side before they are added.
inline constexpr std::size_t most_parameters_at_once = std::size_t{3} << 20;

template <tensor_shape Sample, class Steps>
struct model_layout;

/// The facts about `Steps` that follow from their types.
template <tensor_shape Sample, class... Steps>
struct model_layout<Sample, step_list<Steps...>> {
  using steps = step_list<Steps...>;
  static constexpr std::size_t depth = sizeof...(Steps);
  template <std::size_t I>
  using step_at = std::tuple_element_t<I, std::tuple<Steps...>>;
  template <std::size_t I>
  using layer_at = typename step_at<I>::layer;

  static constexpr auto parameter_at =
      running_sums(steps{}, [](auto layer) { return layer.parameters; });
  static constexpr auto tensors = placed_tensors(steps{}, parameter_at);
  static constexpr auto statistics_at =
      running_sums(steps{}, []<class L>(L) { return statistics_of<L>(); });
  static constexpr auto saved_at = running_sums(steps{}, [](auto layer) { return layer.saved; });
  static constexpr auto kept_at = running_sums(steps{}, []<class L>(L) { return kept_of<L>(); });
  static constexpr auto value_at =
      running_sums(steps{}, [](auto layer) { return layer.out.size(); });
  static constexpr auto gradients = plan_gradients(steps{});
  template <scratch_use Use>
  static constexpr std::size_t scratch = std::max({scratch_of<typename Steps::layer, Use>()...});
  static constexpr std::array<bool, depth + 1> stops = {looks_at_batch<typename Steps::layer>...};

  static constexpr std::size_t parameters = parameter_at[depth];
  static constexpr std::size_t statistics = statistics_at[depth];

  /// Whether all samples of a batch must have passed a step before any of them goes on.
  static constexpr bool looks_at_whole_batch = (looks_at_batch<typename Steps::layer> || ...);

  /// Numbers that the chunks of a batch share before step i.
  static constexpr std::size_t shared_before(std::size_t i, std::size_t chunks) {
    std::size_t const sizes[] = {shared_of<typename Steps::layer>(chunks)...};
    std::size_t sum = 0;
    for (std::size_t before = 0; before < i; ++before) sum += sizes[before];
    return sum;
  }

  /// The first step from i on that looks at the whole batch, or depth.
  static constexpr std::size_t next_stop(std::size_t i) {
    while (i < depth && !stops[i]) ++i;
    return i;
  }

  /// Going backward from step i: the last step before all chunks meet again, which is where the
  /// step below looks at the whole batch, or where enough parameters have come together.
  static constexpr std::size_t backward_stop(std::size_t i) {
    std::size_t const end = parameter_at[i + 1];
    while (i > 0 && !stops[i - 1] && end - parameter_at[i - 1] <= most_parameters_at_once) --i;
    return i;
  }

  /// Parameters whose gradients chunks give side by side, at most.
  static constexpr std::size_t parameters_at_once = [] {
    std::size_t most = 0;
    for (std::size_t i = depth; i-- > 0;) {
      std::size_t const begin = backward_stop(i);
      most = std::max(most, parameter_at[i + 1] - parameter_at[begin]);
      i = begin;
    }
    return most;
  }();
};

/// Whether the first step wants batches as (lanes, features).
template <class Layout>
constexpr bool reads_samples() {
  if constexpr (requires { Layout::template layer_at<0>::sample_major; })
    return Layout::template layer_at<0>::sample_major;
  else
    return false;
}

}  // namespace gossip::detail
