// The tensors of a model's row by the names and shapes that PyTorch gives them.
//
// A sequential model is named as torch.nn.Sequential of the same layers: a Flatten stands before
// the first dense layer, and a residual block with the relu behind it is one entry, whose ways are
// called body and shortcut. A row holds PyTorch's numbers in PyTorch's order; nothing is
// transposed.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/named_tensor.hpp>
#include <gossip/model/sequential.hpp>

namespace gossip {

namespace detail {

/// The names of a model's steps, in the order of the steps; empty of a sum.
class step_names {
 public:
  template <class... Layers>
  std::vector<std::string> of() && {
    add(rest<Layers...>{}, "", 0, false);
    return std::move(names_);
  }

 private:
  template <class... Layers>
  struct rest {};

  template <class Layer>
  static constexpr bool is_dense(Layer *) {
    return false;
  }
  template <std::size_t Units, start Start>
  static constexpr bool is_dense(dense<Units, Start> *) {
    return true;
  }

  void add(rest<>, std::string const &, std::size_t, bool) {}
  template <class Layer, class... Layers>
  void add(rest<Layer, Layers...>, std::string const &before, std::size_t index, bool flat) {
    Layer *const none = nullptr;
    if (is_dense(none) && !flat) {
      flat = true;
      ++index;
    }
    add_one(none, before + std::to_string(index));
    follow(none, rest<Layers...>{}, before, index + 1, flat);
  }

  template <class Layer>
  void add_one(Layer *, std::string name) {
    names_.push_back(std::move(name));
  }
  template <class... Body, class... Shortcut>
  void add_one(residual<branch<Body...>, branch<Shortcut...>> *, std::string const &name) {
    add(rest<Body...>{}, name + ".body.", 0, false);
    add(rest<Shortcut...>{}, name + ".shortcut.", 0, false);
    names_.emplace_back();
  }

  template <class Layer, class... Layers>
  void follow(Layer *, rest<Layers...>, std::string const &before, std::size_t index, bool flat) {
    add(rest<Layers...>{}, before, index, flat);
  }
  /// One step with the normalisation before it, an entry of its own.
  template <class... Layers>
  void follow(batch_norm *, rest<relu, Layers...>, std::string const &before, std::size_t index,
              bool flat) {
    add(rest<Layers...>{}, before, index + 1, flat);
  }
  template <class Body, class Shortcut, class... Layers>
  void follow(residual<Body, Shortcut> *, rest<relu, Layers...>, std::string const &before,
              std::size_t index, bool flat) {
    add(rest<Layers...>{}, before, index, flat);
  }

  std::vector<std::string> names_;
};

/// The dimensions of a layer's tensor k; those of kernels where the layer is a convolution.
template <class Layer>
std::vector<std::size_t> shape_of_tensor(tensor_matrix const &one) {
  if constexpr (requires {
                  Layer::kernels;
                  Layer::shape.kernel;
                })
    if (!one.is_vector() || one == Layer::kernels)
      return {one.rows, Layer::shape.channels, Layer::shape.kernel, Layer::shape.kernel};
  if (one.is_vector()) return {one.rows};
  return {one.rows, one.columns};
}

/// Weights and biases by these names; of other layers numbers.
inline std::string name_of_tensor(std::size_t tensors, std::size_t k) {
  if (tensors <= 2) return k == 0 ? "weight" : "bias";
  return "tensor" + std::to_string(k);
}

template <class Layout, class... Layers>
std::vector<named_tensor> tensors_of_layers() {
  std::vector<std::string> const names = step_names{}.of<Layers...>();
  std::vector<named_tensor> all;
  auto const each = [&](auto visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit(static_cast<typename Layout::template layer_at<I> *>(nullptr), I), ...);
    }(std::make_index_sequence<Layout::depth>{});
  };
  each([&]<class Layer>(Layer *, std::size_t step) {
    std::size_t first = Layout::parameter_at[step], k = 0;
    auto const tensors = tensors_of_layer<Layer>();
    for (tensor_matrix const &one : tensors) {
      all.push_back({names[step] + "." + name_of_tensor(tensors.size(), k++),
                     shape_of_tensor<Layer>(one), first});
      first += one.size();
    }
  });
  each([&]<class Layer>(Layer *, std::size_t step) {
    std::size_t const first = Layout::parameters + Layout::statistics_at[step];
    if constexpr (statistics_of<Layer>() > 0 && requires { Layer::at.channels; }) {
      all.push_back({names[step] + ".running_mean", {Layer::at.channels}, first});
      all.push_back(
          {names[step] + ".running_var", {Layer::at.channels}, first + Layer::at.channels});
    } else if constexpr (statistics_of<Layer>() > 0) {
      all.push_back({names[step] + ".statistics", {statistics_of<Layer>()}, first});
    }
  });
  return all;
}

template <class Model>
struct tensor_names {
  static std::vector<named_tensor> of() { return {{"parameters", {row_length<Model>}, 0}}; }
};
template <std::size_t C, std::size_t H, std::size_t W, class... Entries>
struct tensor_names<sequential<input<C, H, W>, Entries...>> {
  using network_type = network<tensor_shape{C, H, W}, Entries...>;
  using layout = model_layout<tensor_shape{C, H, W}, typename network_type::steps>;
  template <class... Layers>
  static std::vector<named_tensor> of(layer_list<Layers...>) {
    return tensors_of_layers<layout, Layers...>();
  }
  static std::vector<named_tensor> of() { return of(typename network_type::layers{}); }
};

}  // namespace detail

/// All tensors of a model's row; one vector "parameters" where the model is no sequential.
template <class Model>
std::vector<named_tensor> named_tensors() {
  return detail::tensor_names<Model>::of();
}

}  // namespace gossip
