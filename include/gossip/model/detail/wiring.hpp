// A model's layers as a list of steps: which value each reads, resolved at compile time. Value 0 is
// the sample, value i + 1 what step i writes.
#pragma once

#include <array>
#include <cstddef>

#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip::detail {

/// A layer that reads value In; one that joins two reads Second too.
template <class Layer, std::size_t In, std::size_t Second = In>
struct step {
  using layer = Layer;
  static constexpr std::size_t in = In, second = Second;
};

template <class Layer>
inline constexpr bool joins_two = false;
template <tensor_shape S, bool Rectifies>
inline constexpr bool joins_two<sum<S, Rectifies>> = true;

/// A plain sum hands its gradient on as it is.
template <class Layer>
inline constexpr bool passes_gradient_on = false;
template <tensor_shape S>
inline constexpr bool passes_gradient_on<sum<S, false>> = true;

template <class Layer, tensor_shape In>
concept takes_shapes = requires { typename Layer::template on<In>; };

template <class Layer, tensor_shape In, bool First>
struct resolve {
  static_assert(takes_shapes<Layer, In>,
                "gossip::sequential: a layer must have template <tensor_shape In> struct on, which "
                "takes this shape. See docs/policies/model.md");
  using type = typename Layer::template on<In>;
  static_assert(layer_requirements<type>::checked);
};

/// A dense layer that comes first reads samples as they lie in the dataset.
template <std::size_t Units, start Start, tensor_shape In>
struct resolve<dense<Units, Start>, In, true> {
  using type = typename dense<Units, Start>::template on<In, true>;
};

/// The steps of a model in order. As a tuple they would do as well, and take a tenth of the
/// umbrella header's time to compile.
template <class... Steps>
struct step_list {
  static constexpr std::size_t size = sizeof...(Steps);
};

/// `Layers` behind what is `Done`, reading value At of shape S: type is the list of all steps,
/// at and shape what the last of them writes.
template <tensor_shape S, std::size_t At, class Done, class... Layers>
struct lay;

template <tensor_shape S, std::size_t At, class Done>
struct lay<S, At, Done> {
  using type = Done;
  static constexpr tensor_shape shape = S;
  static constexpr std::size_t at = At;
};

template <class On, std::size_t In, std::size_t Second, class Done, class... Rest>
struct lay_one;

template <class On, std::size_t In, std::size_t Second, class... Done, class... Rest>
struct lay_one<On, In, Second, step_list<Done...>, Rest...>
    : lay<On::out, sizeof...(Done) + 1, step_list<Done..., step<On, In, Second>>, Rest...> {};

template <tensor_shape S, std::size_t At, class Done, class Layer, class... Rest>
struct lay<S, At, Done, Layer, Rest...>
    : lay_one<typename resolve<Layer, S, Done::size == 0>::type, At, At, Done, Rest...> {};

template <tensor_shape S, std::size_t At, class Done, class... Rest>
struct lay<S, At, Done, batch_norm, relu, Rest...>
    : lay_one<batch_norm::on<S, true>, At, At, Done, Rest...> {};

/// Named after both shapes, as a compiler names what it refuses.
template <tensor_shape Body, tensor_shape Shortcut>
struct residual_of {
  static_assert(Body == Shortcut,
                "gossip::residual: body and shortcut must end in one shape; residual_of<body, "
                "shortcut> above names both shapes. See docs/policies/model.md");
  static constexpr tensor_shape shape = Body;
};

template <tensor_shape S, std::size_t At, class Done, class Body, class Shortcut, bool Rectifies,
          class... Rest>
struct lay_residual;

template <tensor_shape S, std::size_t At, class Done, class... Body, class... Shortcut,
          bool Rectifies, class... Rest>
struct lay_residual<S, At, Done, branch<Body...>, branch<Shortcut...>, Rectifies, Rest...> {
  static_assert(sizeof...(Body) > 0,
                "gossip::residual: the body needs at least one layer. See docs/policies/model.md");
  using body = lay<S, At, Done, Body...>;
  using shortcut = lay<S, At, typename body::type, Shortcut...>;
  static constexpr tensor_shape joined = residual_of<body::shape, shortcut::shape>::shape;
  using rest =
      lay_one<sum<joined, Rectifies>, body::at, shortcut::at, typename shortcut::type, Rest...>;
  using type = typename rest::type;
  static constexpr tensor_shape shape = rest::shape;
  static constexpr std::size_t at = rest::at;
};

template <tensor_shape S, std::size_t At, class Done, class Body, class Shortcut, class... Rest>
struct lay<S, At, Done, residual<Body, Shortcut>, Rest...>
    : lay_residual<S, At, Done, Body, Shortcut, false, Rest...> {};

template <tensor_shape S, std::size_t At, class Done, class Body, class Shortcut, class... Rest>
struct lay<S, At, Done, residual<Body, Shortcut>, relu, Rest...>
    : lay_residual<S, At, Done, Body, Shortcut, true, Rest...> {};

/// Optional properties of a layer.
template <class Layer, scratch_use Use>
constexpr std::size_t scratch_of() {
  if constexpr (Use == scratch_use::columns && requires { Layer::columns; })
    return Layer::columns;
  else if constexpr (Use == scratch_use::reorders && requires { Layer::reorders; })
    return Layer::reorders;
  else if constexpr (shares_batches(Use) && requires { Layer::scratch; })
    return Layer::scratch;
  else
    return 0;
}
template <class Layer>
constexpr std::size_t kept_of() {
  if constexpr (requires { Layer::kept; })
    return Layer::kept;
  else
    return 0;
}
template <class Layer>
inline constexpr bool looks_at_batch = requires { Layer::shared(1); };
template <class Layer>
constexpr std::size_t statistics_of() {
  if constexpr (looks_at_batch<Layer>)
    return Layer::statistics;
  else
    return 0;
}
template <class Layer>
constexpr std::size_t shared_of(std::size_t chunks) {
  if constexpr (looks_at_batch<Layer>)
    return Layer::shared(chunks);
  else
    return 0;
}

/// Sums of a layer property over the steps before each, and over all as the last entry.
template <class... Steps, class Property>
constexpr auto running_sums(step_list<Steps...>, Property property) {
  std::array<std::size_t, sizeof...(Steps) + 1> sums{};
  std::size_t i = 0;
  ((sums[i + 1] = sums[i] + property(typename Steps::layer{}), ++i), ...);
  return sums;
}

/// Matrices and vectors of a layer, in their order.
template <class Layer>
constexpr auto tensors_of_layer() {
  if constexpr (requires { Layer::tensors; }) {
    constexpr std::size_t all = [] {
      std::size_t sum = 0;
      for (tensor_matrix const &one : Layer::tensors) sum += one.size();
      return sum;
    }();
    static_assert(all == Layer::parameters,
                  "gossip::sequential: the sizes of a layer's tensors must add up to its number of "
                  "parameters. See docs/policies/model.md");
    return Layer::tensors;
  } else {
    if constexpr (Layer::parameters == 0)
      return std::array<tensor_matrix, 0>{};
    else
      return std::array{tensor_matrix{Layer::parameters, 1}};
  }
}

/// Those of all layers; begins: of the parameters of each step.
template <class... Steps, class Begins>
constexpr auto placed_tensors(step_list<Steps...>, Begins const &begins) {
  std::array<row_tensor, (0 + ... + tensors_of_layer<typename Steps::layer>().size())> all{};
  std::size_t step = 0, k = 0;
  auto const place = [&](auto const &tensors) {
    std::size_t first = begins[step++];
    for (tensor_matrix const &one : tensors) {
      all[k++] = row_tensor(first, one);
      first += one.size();
    }
  };
  (place(tensors_of_layer<typename Steps::layer>()), ...);
  return all;
}

}  // namespace gossip::detail
