// Sizes and properties of a model as values at run time.
#pragma once

#include <cstddef>
#include <span>

#include <gossip/core/view.hpp>
#include <gossip/model/model.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

/// Sizes and properties of a model, whatever its type; the members of the contract of models
/// (model/model.hpp) by the same names.
struct model_outline {
  std::size_t parameters = 0;                ///< trainable numbers in the row of a node
  std::size_t statistics = 0;                ///< numbers behind them
  std::span<row_tensor const> tensors = {};  ///< of the trainable part; they outlive the outline
  bool learns_from_samples = false;          ///< false: the model is its own data
  tensor_shape sample = {};                  ///< shape of a sample, where the model learns from any
  std::size_t classes = 0;                   ///< that the model chooses from; 0: none
  double training_flops = 0;                 ///< of a sample: forward and backward
  double evaluation_flops = 0;               ///< of a sample: forward

  /// Numbers in the row of a node.
  constexpr std::size_t row_length() const { return parameters + statistics; }
  /// True for a model that has an accuracy.
  constexpr bool chooses_classes() const { return classes > 0; }
};

/// The outline of a model by its type.
template <class Model>
constexpr model_outline outline_of_model() {
  model_outline all{.parameters = Model::parameters,
                    .statistics = row_length<Model> - Model::parameters,
                    .tensors = tensors_of<Model>,
                    .learns_from_samples = Model::learns_from_samples};
  if constexpr (Model::learns_from_samples) {
    all.sample = Model::sample;
    all.classes = Model::classes;
  }
  if constexpr (requires { Model::training_flops; }) all.training_flops = Model::training_flops;
  if constexpr (requires { Model::evaluation_flops; })
    all.evaluation_flops = Model::evaluation_flops;
  return all;
}

}  // namespace gossip
