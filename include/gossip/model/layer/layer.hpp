// The contract of a layer: a stateless type that is given a shape and becomes a function of views.
//
// A layer is written as a struct with a member template `on<Shape>` that knows its input:
//
//   static constexpr tensor_shape out;            the shape of one sample after the layer
//   static constexpr std::size_t parameters;      numbers it takes in the row of a node
//   static constexpr std::array<tensor_matrix, k> tensors;
//                                                 optional: the matrices and vectors that these
//                                                 are, in their order (op/row_tensors.hpp); else
//                                                 they are one vector
//   static constexpr std::size_t saved;           bytes a lane it keeps from forward for backward
//   static constexpr std::size_t kept;            optional: numbers a lane, as saved
//   static constexpr std::size_t scratch;         optional: numbers a lane it may write and forget
//   static constexpr std::size_t columns;         optional: as many for op/convolution_by_gemm.hpp
//   static constexpr std::size_t reorders;        optional: as many, op/convolution_reorders.hpp
//   in, plane                                     optional, of a layer that does the same to every
//                                                 plane of its input: the shape of that, and
//                                                 on<one plane>. Without parameters, it works
//                                                 behind a convolution on planes that are in the
//                                                 cache; its backward must not read pass.in, which
//                                                 is not kept
//   static constexpr double forward_flops;        a sample; multiplications and additions
//   static constexpr double backward_flops(bool first);   the first layer needs no input gradient
//   initialise(std::span<T>, keyed_random &)
//   forward(worker, layer_pass<T>)                writes pass.out
//   backward(worker, layer_pass<T>)               writes pass.parameter_gradient (added to what is
//                                                 there if pass.accumulate) and pass.in_gradient,
//                                                 the latter unless its data is null
//
// A layer that looks at all samples of a batch at once (batch normalisation) also has
//
//   static constexpr std::size_t statistics;      numbers behind the trainable part of the row,
//                                                 which a step moves towards what the pass staged
//   static constexpr std::size_t shared(chunks);  numbers that the chunks of a batch share
//   initialise_statistics(std::span<T>)
//   measure, combine, measure_back, combine_back(worker, layer_pass<T>)
//
// measure looks at one chunk before forward, combine at what all chunks measured, in chunk order;
// measure_back and combine_back do so before backward and give the parameter gradient.
//
// Values of a layer are (features, lanes): feature f of the sample in lane l at f * lanes + l.
// Lanes beyond the samples hold finite numbers and zero gradients. A pass is over k nodes at once;
// every view is strided by node.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// The shape of one sample between two layers.
struct tensor_shape {
  std::size_t channels, height, width;

  constexpr std::size_t plane() const { return height * width; }
  constexpr std::size_t size() const { return channels * plane(); }
  constexpr bool operator==(tensor_shape const &) const = default;
};

/// Base of layers that have nothing in the row of a node and keep nothing; their few operations are
/// not counted.
struct without_parameters {
  static constexpr std::size_t parameters = 0;
  static constexpr std::size_t saved = 0;
  static constexpr double forward_flops = 0;
  static constexpr double backward_flops(bool) { return 0; }

  template <class T>
  static void initialise(std::span<T>, keyed_random &) {}
};

/// The batches of a pass: the key of a layer's random numbers. Nodes and steps lie in memory that a
/// worker's loops can read.
struct batch_key {
  std::uint64_t seed;
  node const *nodes;           // (k)
  std::uint64_t const *steps;  // (k)
};

/// One pass of a layer over k nodes times one chunk of samples.
template <class T>
struct layer_pass {
  std::size_t k;
  std::size_t lanes;
  std::size_t samples;  // lanes in use
  std::size_t first;    // of the batch, the sample in lane 0
  std::size_t chunk, chunks, chunk_size;
  std::size_t batch;  // samples of all chunks
  bool training;      // false: statistics of the row take the place of the batch's
  batch_key key;      // while training
  std::size_t layer;  // its place in the model
  strided<T const> parameters;
  strided<T const> statistics;    // of the row
  strided<T> staged;              // (statistics) of this batch
  strided<T> shared;              // (shared(chunks))
  strided<T const> in;            // (features, lanes); of a first dense layer (lanes, features)
  strided<T const> second;        // the other input of a layer that joins two
  strided<T> out;                 // (features, lanes); while going backward what forward wrote
  strided<std::uint8_t> saved;    // (saved, lanes)
  strided<T> kept;                // (kept, lanes)
  strided<T> scratch;             // (scratch, lanes)
  strided<T const> out_gradient;  // backward only, as the rest
  strided<T> in_gradient;         // null data: not wanted
  strided<T> parameter_gradient;
  bool accumulate;
};

namespace detail {

struct any_worker;  // of a pass: the body of a function that takes one is not looked at

template <class L>
concept has_out = requires {
  { L::out } -> std::convertible_to<tensor_shape>;
};
template <class L>
concept has_parameters = requires {
  { L::parameters } -> std::convertible_to<std::size_t>;
};
template <class L>
concept has_saved = requires {
  { L::saved } -> std::convertible_to<std::size_t>;
};
template <class L>
concept counts_flops = requires {
  { L::forward_flops } -> std::convertible_to<double>;
  { L::backward_flops(true) } -> std::convertible_to<double>;
};
template <class L>
concept initialises_span =
    requires(std::span<float> row, keyed_random &random) { L::initialise(row, random); };
template <class L>
concept goes_forward =
    requires(any_worker &worker, layer_pass<float> const &pass) { L::forward(worker, pass); };
template <class L>
concept goes_backward =
    requires(any_worker &worker, layer_pass<float> const &pass) { L::backward(worker, pass); };

/// What a layer on a shape lacks, a sentence each.
template <class L>
struct layer_requirements {
  static_assert(has_out<L>,
                "gossip::sequential: the layer must have static constexpr tensor_shape out. See "
                "docs/policies/model.md");
  static_assert(has_parameters<L>,
                "gossip::sequential: the layer must have static constexpr std::size_t parameters. "
                "See docs/policies/model.md");
  static_assert(has_saved<L>,
                "gossip::sequential: the layer must have static constexpr std::size_t saved. See "
                "docs/policies/model.md");
  static_assert(counts_flops<L>,
                "gossip::sequential: the layer must have static constexpr double forward_flops and "
                "static constexpr double backward_flops(bool first). See docs/policies/model.md");
  static_assert(initialises_span<L>,
                "gossip::sequential: the layer must have static void initialise(std::span<T>, "
                "keyed_random &). See docs/policies/model.md");
  static_assert(goes_forward<L>,
                "gossip::sequential: the layer must have static void forward(Worker &, "
                "layer_pass<T> const &). See docs/policies/model.md");
  static_assert(goes_backward<L>,
                "gossip::sequential: the layer must have static void backward(Worker &, "
                "layer_pass<T> const &). See docs/policies/model.md");
  static constexpr bool checked = true;
};

}  // namespace detail

/// A layer on a shape of its input.
template <class L>
concept shaped_layer = detail::has_out<L> && detail::has_parameters<L> && detail::has_saved<L> &&
                       detail::counts_flops<L> && detail::initialises_span<L> &&
                       detail::goes_forward<L> && detail::goes_backward<L>;

/// A layer in the list of a sequential model; checked with an input of 8 planes of 8 x 8.
template <class L>
concept layer = shaped_layer<typename L::template on<tensor_shape{8, 8, 8}>>;

/// Initial weights of dense and convolutional layers; biases are zero but for `torch`.
enum class start {
  torch,   ///< uniform in +-1/sqrt(fan_in), biases alike: what PyTorch draws by default
  he,      ///< normal of variance 2 / fan_out (He et al. 2015, for ReLU networks)
  glorot,  ///< uniform in +-sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010)
};

/// Uniform in +-1/sqrt(inputs), weights and biases alike.
template <class T>
void draw_uniform(std::span<T> parameters, std::size_t inputs, keyed_random &random) {
  double const bound = 1.0 / std::sqrt(static_cast<double>(inputs));
  for (T &p : parameters) p = static_cast<T>((2.0 * random.uniform() - 1.0) * bound);
}

/// The beginning of a layer: `weights` numbers, then biases.
template <class T>
void draw_start(start how, std::span<T> parameters, std::size_t weights, std::size_t fan_in,
                std::size_t fan_out, keyed_random &random) {
  if (how == start::torch) return draw_uniform(parameters, fan_in, random);
  double const in = static_cast<double>(fan_in), out = static_cast<double>(fan_out);
  double const deviation = std::sqrt(2.0 / out), bound = std::sqrt(6.0 / (in + out));
  for (T &p : parameters.first(weights))
    p = static_cast<T>(how == start::he ? deviation * random.normal()
                                        : (2.0 * random.uniform() - 1.0) * bound);
  for (T &p : parameters.subspan(weights)) p = T{0};
}

}  // namespace gossip
