// A feed-forward classifier as a type: layers one behind the other under softmax cross-entropy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gossip/core/random.hpp>
#include <gossip/model/chain.hpp>
#include <gossip/model/model.hpp>
#include <gossip/op/softmax.hpp>

namespace gossip {

/// The shape of a sample; always the first entry of a sequential.
template <std::size_t Channels, std::size_t Height, std::size_t Width>
struct input {
  static constexpr tensor_shape shape{Channels, Height, Width};
};

template <class Input, class... Layers>
class sequential;

/// sequential<input<1, 28, 28>, conv2d<20, 5>, relu, dense<10>>: the last layer's outputs are the
/// scores of the classes. The row of a node holds the layers' parameters in order.
template <std::size_t C, std::size_t H, std::size_t W, class... Layers>
class sequential<input<C, H, W>, Layers...> {
  using chain = typename detail::chain_of<tensor_shape{C, H, W}, true, Layers...>::type;
  static constexpr std::size_t depth = sizeof...(Layers);
  static_assert(depth > 0, "gossip::sequential: a model needs at least one layer.");
  using last = std::tuple_element_t<depth - 1, chain>;

  static constexpr auto parameter_at =
      detail::running_sums(chain{}, [](auto layer) { return layer.parameters; });
  static constexpr auto saved_at =
      detail::running_sums(chain{}, [](auto layer) { return layer.saved; });
  static constexpr auto value_at =
      detail::running_sums(chain{}, [](auto layer) { return layer.out.size(); });

 public:
  static constexpr tensor_shape sample{C, H, W};
  static constexpr std::size_t classes = last::out.size();
  static constexpr std::size_t parameters = parameter_at[depth];
  static constexpr bool learns_from_samples = true;
  static constexpr bool sample_major =
      std::is_same_v<std::tuple_element_t<0, chain>,
                     typename detail::resolve<std::tuple_element_t<0, std::tuple<Layers...>>,
                                              sample, true>::type> &&
      !std::is_same_v<std::tuple_element_t<0, chain>,
                      typename detail::resolve<std::tuple_element_t<0, std::tuple<Layers...>>,
                                               sample, false>::type>;
  static constexpr double evaluation_flops =
      std::apply([](auto... layer) { return (layer.forward_flops + ...); }, chain{});
  static constexpr double training_flops = []<std::size_t... I>(std::index_sequence<I...>) {
    return ((std::tuple_element_t<I, chain>::forward_flops +
             std::tuple_element_t<I, chain>::backward_flops(I == 0)) +
            ...);
  }
  (std::make_index_sequence<depth>{});

  /// Bytes one node in work needs beside its row and its gradient.
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t batch) {
    return places<T>{lanes_for(batch)}.bytes();
  }

  /// The start of every node: keyed by the seed and the layer, the same on all.
  template <class T>
  void initialise(std::span<T> row, std::uint64_t seed) const {
    each_layer([&](auto index) {
      using layer = std::tuple_element_t<index(), chain>;
      keyed_random random(seed, purpose::initial_parameters, index(), 0);
      layer::initialise(row.subspan(parameter_at[index()], layer::parameters), random);
    });
  }

  /// The mean gradient over each node's batch, chunk by chunk.
  template <class Worker, class T, class Source>
  void gradient(Worker &worker, training_task<T, Source> const &task) const {
    T const scale = T{1} / static_cast<T>(task.samples);
    for (std::size_t first = 0; first < task.samples; first += chunk_samples) {
      std::size_t const count = std::min(task.samples - first, chunk_samples);
      places<T> const at{lanes_for(count)};
      auto const ws = task.workspace;
      task.source.load(worker, task, first, count, at.lanes, at.inputs(ws), at.labels(ws));
      forward(worker, task.k, task.parameters, at, ws);
      score(worker, task.k, at, ws, count, scale);
      worker.for_each(task.k, 1, 1, mean_loss<T>{at, ws, task.loss, count, scale, first > 0});
      backward(worker, task, at, first > 0);
    }
  }

  /// Losses and winning classes of one chunk of samples.
  template <class Worker, class T, class Source>
  void choose(Worker &worker, evaluation_task<T, Source> const &task) const {
    places<T> const at{lanes_for(task.samples)};
    auto const ws = task.workspace;
    task.source.load(worker, task, 0, task.samples, at.lanes, at.inputs(ws), at.labels(ws));
    forward(worker, task.k, task.parameters, at, ws);
    worker.for_each(task.k, 1, at.lanes,
                    op::choose_class<T>{at.scores(ws), at.choices(ws), classes, at.lanes});
    score(worker, task.k, at, ws, task.samples, T{1});
    worker.for_each(task.k, 1, 1, mean_loss<T>{at, ws, task.loss, task.samples, T{1}, false});
    worker.for_each(task.k, 1, 1, count_correct<T>{at, ws, task.correct, task.samples});
  }

  /// Where things lie in the workspace of one node: values of all layers, two gradients in turn,
  /// scratch, what the loss needs, then bytes saved for backward, labels and choices.
  template <class T>
  struct places {
    std::size_t lanes;

    static constexpr std::size_t widest = std::apply(
        [](auto... layer) {
          return std::max({sample.size(), layer.out.size()...});
        },
        chain{});
    static constexpr std::size_t scratch_values = std::apply(
        [](auto... layer) {
          return std::max({std::size_t{0}, detail::scratch_of<decltype(layer)>()...});
        },
        chain{});
    static constexpr std::size_t values =
        sample.size() + value_at[depth] + 2 * widest + scratch_values + 3;

    constexpr std::size_t bytes() const {
      return lanes * values * sizeof(T) + (saved_at[depth] * lanes + 63) / 64 * 64 +
             2 * (2 * lanes + 63) / 64 * 64 + 64;
    }
    constexpr strided<T> value(strided<std::byte> ws, std::size_t row) const {
      return {reinterpret_cast<T *>(ws.data) + row * lanes, ws.stride / sizeof(T)};
    }
    constexpr strided<T> inputs(strided<std::byte> ws) const { return value(ws, 0); }
    constexpr strided<T> out(strided<std::byte> ws, std::size_t layer) const {
      return value(ws, sample.size() + value_at[layer]);
    }
    constexpr strided<T> scores(strided<std::byte> ws) const { return out(ws, depth - 1); }
    constexpr strided<T> gradient(strided<std::byte> ws, std::size_t turn) const {
      return value(ws, sample.size() + value_at[depth] + turn * widest);
    }
    constexpr strided<T> scratch(strided<std::byte> ws) const {
      return value(ws, sample.size() + value_at[depth] + 2 * widest);
    }
    constexpr strided<T> loss_part(strided<std::byte> ws, std::size_t part) const {
      return value(ws, values - 3 + part);
    }
    constexpr strided<std::uint8_t> saved(strided<std::byte> ws, std::size_t layer) const {
      return {reinterpret_cast<std::uint8_t *>(ws.data + lanes * values * sizeof(T)) +
                  saved_at[layer] * lanes,
              ws.stride};
    }
    constexpr strided<std::uint16_t> labels(strided<std::byte> ws) const {
      auto const bytes_before =
          lanes * values * sizeof(T) + (saved_at[depth] * lanes + 63) / 64 * 64;
      return {reinterpret_cast<std::uint16_t *>(ws.data + bytes_before), ws.stride / 2};
    }
    constexpr strided<std::uint16_t> choices(strided<std::byte> ws) const {
      return labels(ws) + (lanes + 31) / 32 * 32;
    }
  };

  /// loss [+]= scale * the sum of the samples' losses, in order of the samples.
  template <class T>
  struct mean_loss {
    places<T> at;
    strided<std::byte> ws;
    strided<double> loss;
    std::size_t samples;
    T scale;
    bool accumulate;

    constexpr void operator()(std::size_t j, std::size_t, std::size_t) const {
      double sum = 0;
      for (std::size_t i = 0; i < samples; ++i)
        sum += elementary::log(static_cast<double>(at.loss_part(ws, 1).at(j)[i])) +
               static_cast<double>(at.loss_part(ws, 0).at(j)[i] - at.loss_part(ws, 2).at(j)[i]);
      double &to = loss.at(j)[0];
      to = (accumulate ? to : 0.0) + static_cast<double>(scale) * sum;
    }
  };

  template <class T>
  struct count_correct {
    places<T> at;
    strided<std::byte> ws;
    strided<std::uint32_t> correct;
    std::size_t samples;

    constexpr void operator()(std::size_t j, std::size_t, std::size_t) const {
      std::uint32_t count = 0;
      for (std::size_t i = 0; i < samples; ++i)
        count += at.choices(ws).at(j)[i] == at.labels(ws).at(j)[i];
      correct.at(j)[0] = count;
    }
  };

 private:
  template <class F>
  static void each_layer(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<depth>{});
  }

  template <class Worker, class T>
  static void forward(Worker &worker, std::size_t k, strided<T const> parameters,
                      places<T> const &at, strided<std::byte> ws) {
    each_layer([&](auto index) {
      layer_pass<T> pass{};
      pass.k = k;
      pass.lanes = at.lanes;
      pass.parameters = parameters + parameter_at[index()];
      pass.in = index() == 0 ? at.inputs(ws) : at.out(ws, index() - 1);
      pass.out = at.out(ws, index());
      pass.scratch = at.scratch(ws);
      pass.saved = at.saved(ws, index());
      std::tuple_element_t<index(), chain>::forward(worker, pass);
    });
  }

  /// The gradient of the scores, into the gradient buffer whose turn it is, and the loss's parts.
  template <class Worker, class T>
  static void score(Worker &worker, std::size_t k, places<T> const &at, strided<std::byte> ws,
                    std::size_t count, T scale) {
    constexpr std::size_t group = Worker::lane_step;
    worker.for_each(
        k, (at.lanes + group - 1) / group, 1,
        op::softmax_cross_entropy<T, group>{
            at.scores(ws), at.labels(ws), at.gradient(ws, depth % 2), at.loss_part(ws, 0),
            at.loss_part(ws, 1), at.loss_part(ws, 2), classes, at.lanes, count, scale});
  }

  template <class Worker, class T, class Source>
  static void backward(Worker &worker, training_task<T, Source> const &task, places<T> const &at,
                       bool accumulate) {
    each_layer([&](auto from_front) {
      constexpr std::size_t i = depth - 1 - from_front();
      auto const ws = task.workspace;
      layer_pass<T> pass{};
      pass.k = task.k;
      pass.lanes = at.lanes;
      pass.parameters = task.parameters + parameter_at[i];
      pass.in = i == 0 ? at.inputs(ws) : at.out(ws, i == 0 ? 0 : i - 1);
      pass.saved = at.saved(ws, i);
      pass.scratch = at.scratch(ws);
      pass.out_gradient = at.gradient(ws, (i + 1) % 2);
      if (i > 0) pass.in_gradient = at.gradient(ws, i % 2);
      pass.parameter_gradient = task.gradient + parameter_at[i];
      pass.accumulate = accumulate;
      std::tuple_element_t<i, chain>::backward(worker, pass);
    });
  }
};

}  // namespace gossip
