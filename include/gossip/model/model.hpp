// The contract of a model: what a simulator needs to know of a network's nodes.
//
// A model is a small copyable value of a type that knows its size:
//
//   static constexpr std::size_t parameters;          numbers in the row of a node
//   static constexpr std::size_t statistics;          optional: numbers behind the trainable part
//                                                     of the row; a gradient holds what they are
//                                                     in the batch, and a step moves them there
//   static constexpr std::array<row_tensor, k> tensors;   optional: matrices and vectors of the
//                                                     trainable part (op/row_tensors.hpp); else
//                                                     it is one vector
//   static constexpr double training_flops;           a sample: forward and backward
//   static constexpr double evaluation_flops;         a sample: forward only
//   static constexpr bool learns_from_samples;        false: the model is its own data
//   static constexpr std::size_t workspace_bytes<T>(std::size_t batch);       a node in work
//   static constexpr std::size_t workspace_bytes<T, Worker>(std::size_t batch);   optional: what
//                                                     that worker needs
//   void initialise(std::span<T> row, std::uint64_t seed) const;     the same on every node
//   void gradient(worker, training_task<T, Source> const &) const;   mean over the batch
//   static constexpr bool scales_loss;                optional: gradients are multiplied by the
//                                                     task's loss_scale, as fp16 needs it
//   void check() const;                               optional; throws input_error
//
// and, where learns_from_samples:
//
//   static constexpr tensor_shape sample;             the shape of one sample
//   static constexpr std::size_t classes;             0: it chooses none, and has no accuracy
//   static constexpr bool sample_major;               batches come as (lanes, features), else
//                                                     (features, lanes)
//   void evaluate(worker, evaluation_task<T, Source> const &) const;   losses, winning classes
//   void batch_statistics(worker, training_task<T, Source> const &) const;   with statistics: of
//                                                     the batch, into the gradient's place for them
//
// gradient and evaluate serve k nodes at once. Everything they write lies in the task's views.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/copyable.hpp>
#include <gossip/core/node.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

namespace detail {

template <class M>
concept declares_parameters = requires {
  { M::parameters } -> std::convertible_to<std::size_t>;
};
template <class M>
concept declares_samples = requires {
  { M::learns_from_samples } -> std::convertible_to<bool>;
};
template <class M, class T>
concept initialises_rows =
    requires(M const &m, std::span<T> row, std::uint64_t seed) { m.initialise(row, seed); };
template <class M, class T>
concept sizes_workspace = requires(std::size_t batch) {
  { M::template workspace_bytes<T>(batch) } -> std::convertible_to<std::size_t>;
};

}  // namespace detail

template <class M>
concept model = copyable<M> && detail::declares_parameters<M> && detail::declares_samples<M> &&
                detail::initialises_rows<M, float> && detail::sizes_workspace<M, float>;

/// Numbers in the row of a node: parameters, then statistics.
template <class Model>
inline constexpr std::size_t row_length = Model::parameters;
template <class Model>
  requires requires { Model::statistics; }
inline constexpr std::size_t row_length<Model> = Model::parameters + Model::statistics;

/// Whether a model that learns from samples chooses classes, and so has an accuracy.
template <class Model>
inline constexpr bool chooses_classes = Model::classes > 0;

/// Tensors of the trainable part of a row, which lie in it in this order.
template <class Model>
inline constexpr std::array<row_tensor, 1> tensors_of{row_tensor(0, {Model::parameters, 1})};
template <class Model>
  requires requires { Model::tensors; }
inline constexpr auto tensors_of<Model> = Model::tensors;

/// Bytes of workspace of a node in work on such a worker, for so many samples.
template <class Model, class T, class Worker>
constexpr std::size_t workspace_on(std::size_t samples) {
  if constexpr (requires { Model::template workspace_bytes<T, Worker>(samples); })
    return Model::template workspace_bytes<T, Worker>(samples);
  else
    return Model::template workspace_bytes<T>(samples);
}

/// One gradient for each of k nodes. A source writes batches:
/// source.load(worker, task, first, count, lanes, inputs, labels).
template <class T, class Source>
struct training_task {
  std::size_t k;
  std::size_t samples;  // the batch of each node
  std::uint64_t seed;
  node const *nodes;            // (k) whose samples
  std::uint64_t const *steps;   // (k) which batch of them, from 0 on
  strided<T const> parameters;  // (k, d)
  strided<T> gradient;          // (k, d)
  strided<std::byte> workspace;
  strided<double> loss;  // (k) mean over the batch
  Source &source;
  T const *loss_scale = nullptr;  // (k) by which the gradient is multiplied, not the loss; null: 1
  batch_key in_place{};           // of a device: seed, nodes and steps again, in its memory

  /// The key of the batches' random numbers, in memory that loops can read.
  constexpr batch_key key() const {
    return in_place.nodes ? in_place : batch_key{seed, nodes, steps};
  }
};

/// Scores of `samples` samples, a chunk at most, under the parameters of each of k nodes.
template <class T, class Source>
struct evaluation_task {
  std::size_t k;
  std::size_t samples;
  strided<T const> parameters;  // (k, d)
  strided<T const> statistics;  // null data: those behind the parameters
  strided<std::byte> workspace;
  strided<double> loss;            // (k) summed over the samples
  strided<std::uint32_t> correct;  // (k) samples whose class was chosen
  Source &source;
};

}  // namespace gossip
