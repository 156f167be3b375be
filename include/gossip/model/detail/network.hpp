// The entries of a sequential model behind its input: layers, and last of all a loss where there is
// one.
#pragma once

#include <cstddef>

#include <gossip/model/detail/wiring.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/losses.hpp>

namespace gossip::detail {

template <class... Layers>
struct layer_list {};

/// The layers and the loss of a network.
template <class Done, class... Entries>
struct network_of;

template <class... Done>
struct network_of<layer_list<Done...>> {
  using layers = layer_list<Done...>;
  using loss = softmax_cross_entropy;
};

template <class... Done, loss Last>
struct network_of<layer_list<Done...>, Last> {
  using layers = layer_list<Done...>;
  using loss = Last;
};

template <class... Done, class First, class... Rest>
struct network_of<layer_list<Done...>, First, Rest...>
    : network_of<layer_list<Done..., First>, Rest...> {
  static_assert(!loss<First>,
                "gossip::sequential: a loss stands behind the last layer. See "
                "docs/policies/model.md");
};

/// A first layer whose input is (features, lanes), as a later layer's is: rows of targets follow
/// the rows of features there.
template <class Layer>
struct feature_major {
  template <tensor_shape In>
  using on = typename Layer::template on<In>;
};

/// The steps of layers on features of shape S; `Targets`: whether a sample has targets behind them.
template <tensor_shape S, bool Targets, class List>
struct steps_of;

template <tensor_shape S, bool Targets, class... Layers>
struct steps_of<S, Targets, layer_list<Layers...>> {
  using type = typename lay<S, 0, step_list<>, Layers...>::type;
};
template <tensor_shape S, std::size_t Units, start Start, class... Rest>
struct steps_of<S, true, layer_list<dense<Units, Start>, Rest...>> {
  using type = typename lay<S, 0, step_list<>, feature_major<dense<Units, Start>>, Rest...>::type;
};

/// The layers, the loss and the steps of all entries behind an input of shape S.
template <tensor_shape S, class... Entries>
struct network {
  using parts = network_of<layer_list<>, Entries...>;
  using layers = typename parts::layers;
  using loss = typename parts::loss;
  static constexpr bool has_targets = loss::targets(1) > 0;
  using steps = typename steps_of<S, has_targets, layers>::type;
};

}  // namespace gossip::detail
