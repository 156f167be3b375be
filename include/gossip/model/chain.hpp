// Layers one behind the other with their shapes and places in the row resolved at compile time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include <gossip/model/dense.hpp>
#include <gossip/model/layer.hpp>

namespace gossip::detail {

template <class Layer, tensor_shape In, bool First>
struct resolve {
  using type = typename Layer::template on<In>;
};

/// A dense layer that comes first reads samples as they lie in the dataset.
template <std::size_t Units, tensor_shape In>
struct resolve<dense<Units>, In, true> {
  using type = typename dense<Units>::template on<In, true>;
};

template <tensor_shape In, bool First, class... Layers>
struct chain_of {
  using type = std::tuple<>;
};

template <tensor_shape In, bool First, class Layer, class... Rest>
struct chain_of<In, First, Layer, Rest...> {
  using head = typename resolve<Layer, In, First>::type;
  using tail = typename chain_of<head::out, false, Rest...>::type;
  using type = decltype(std::tuple_cat(std::tuple<head>{}, tail{}));
};

/// The numbers a lane that a layer may write and forget; most need none.
template <class Layer>
constexpr std::size_t scratch_of() {
  if constexpr (requires { Layer::scratch; })
    return Layer::scratch;
  else
    return 0;
}

/// Sums of a layer property over the layers before each, and over all as the last entry.
template <class Property, class... Layers>
constexpr auto running_sums(std::tuple<Layers...>, Property property) {
  std::array<std::size_t, sizeof...(Layers) + 1> sums{};
  std::size_t i = 0;
  ((sums[i + 1] = sums[i] + property(Layers{}), ++i), ...);
  return sums;
}

}  // namespace gossip::detail
