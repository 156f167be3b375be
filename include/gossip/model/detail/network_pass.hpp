// One pass of a batch through a model's steps and back. Chunks of the batch go side by side between
// the steps that look at all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <gossip/model/detail/layout.hpp>
#include <gossip/model/detail/plane_by_plane.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/op/element.hpp>

namespace gossip::detail {

/// f(integral constant) for every step from the front.
template <std::size_t Count, class F>
constexpr void each_step(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<Count>{});
}

template <class Layout>
constexpr double forward_flops() {
  double sum = 0;
  each_step<Layout::depth>([&](auto i) { sum += Layout::template layer_at<i()>::forward_flops; });
  return sum;
}

template <class Layout>
constexpr double training_flops() {
  double sum = forward_flops<Layout>();
  each_step<Layout::depth>([&](auto i) {
    sum += Layout::template layer_at<i()>::backward_flops(Layout::template step_at<i()>::in == 0);
  });
  return sum;
}

/// Workers that can multiply the bytes of samples by the weights of a first layer.
template <class Worker, class Layer, class Source, class T>
constexpr bool can_multiply_bytes() {
  if constexpr (requires {
                  requires Layer::sample_major;
                  requires Source::hands_out_bytes;
                })
    if constexpr (requires { Worker::template multiplies_bytes<Layer::shape, T>; })
      return Worker::template multiplies_bytes<Layer::shape, T>;
  return false;
}
template <class Worker, class Layer, class Source, class T>
inline constexpr bool multiplies_bytes = can_multiply_bytes<Worker, Layer, Source, T>();

/// The batch of a pass, and its views.
template <class T>
struct batch_in_work {
  std::size_t k, samples, chunk, first;  // first: sample of the batch with which this part begins
  strided<T const> parameters, statistics;
  strided<T> gradient;
  strided<std::byte> ws;
  batch_key key;
};

template <class Worker, class T, class Layout, class Workspace>
struct network_pass {
  Worker &worker;
  Workspace at;
  batch_in_work<T> work;

  static constexpr std::size_t depth = Layout::depth;
  template <std::size_t I>
  using layer = typename Layout::template layer_at<I>;
  template <std::size_t I>
  using step = typename Layout::template step_at<I>;

  /// One chunk with the statistics of the row, through all steps.
  void evaluate(std::size_t c) const {
    each_step<depth>([&](auto i) {
      auto pass = forward_pass<i()>(c);
      pass.training = false;
      go_forward<i()>(pass);
    });
  }

  void forward() const { forward_from<0>(); }
  /// The same after the first step has been done as the batch was loaded.
  void forward_after_first() const {
    if constexpr (depth > 1) forward_from<1>();
  }

  /// The arguments of step I for chunk c.
  template <std::size_t I>
  layer_pass<T> forward_pass(std::size_t c) const {
    auto const ws = at.of_chunk(work.ws, c);
    std::size_t const begin = c * work.chunk;
    layer_pass<T> pass{};
    pass.k = work.k;
    pass.lanes = at.lanes;
    pass.samples = std::min(work.samples - begin, work.chunk);
    pass.chunk = c;
    pass.chunks = at.chunks;
    pass.chunk_size = work.chunk;
    pass.batch = work.samples;
    pass.training = true;
    pass.first = work.first + begin;
    pass.key = work.key;
    pass.layer = I;
    pass.parameters = work.parameters + Layout::parameter_at[I];
    pass.statistics = work.statistics + Layout::statistics_at[I];
    if (work.gradient.data)
      pass.staged = work.gradient + (Layout::parameters + Layout::statistics_at[I]);
    if constexpr (looks_at_batch<layer<I>>) pass.shared = at.shared(work.ws, I);
    pass.in = at.of_value(ws, step<I>::in);
    pass.second = at.of_value(ws, step<I>::second);
    pass.out = at.of_value(ws, I + 1);
    pass.saved = at.saved(ws, I);
    pass.scratch = at.scratch(ws);
    pass.kept = at.kept(ws, I);
    return pass;
  }

  /// `accumulate`: the gradient of samples before these is there already.
  void backward(bool accumulate) const { backward_from<depth - 1>(accumulate); }

 private:
  template <std::size_t From>
  void forward_from() const {
    constexpr std::size_t end = Layout::next_stop(Layout::stops[From] ? From + 1 : From);
    if constexpr (From == 0 && Layout::stops[0]) measure_all<0>();
    worker.each(at.chunks, [&](std::size_t c) {
      each_step<end - From>([&](auto i) { go_forward<From + i()>(forward_pass<From + i()>(c)); });
      if constexpr (end < depth) layer<end>::measure(worker, forward_pass<end>(c));
    });
    if constexpr (end < depth) {
      layer<end>::combine(worker, forward_pass<end>(0));
      forward_from<end>();
    }
  }

  template <std::size_t I>
  void measure_all() const {
    worker.each(at.chunks, [&](std::size_t c) { layer<I>::measure(worker, forward_pass<I>(c)); });
    layer<I>::combine(worker, forward_pass<I>(0));
  }

  template <std::size_t From>
  void backward_from(bool accumulate) const {
    constexpr std::size_t end = Layout::backward_stop(From);
    constexpr std::size_t first = Layout::parameter_at[end];
    constexpr std::size_t count =
        Layout::parameter_at[Layout::stops[From] ? From : From + 1] - first;
    if constexpr (From == depth - 1 && Layout::stops[From]) measure_back_all<From>();
    bool const apart = worker.parallel() && at.chunks > 1;  // gradients of chunks, until added
    worker.each(at.chunks, [&](std::size_t c) {
      each_step<From - end + 1>([&](auto down) {
        constexpr std::size_t i = From - down();
        auto pass = backward_pass<i>(c);
        pass.accumulate = accumulate || (c > 0 && !apart);
        if (c > 0 && apart)
          pass.parameter_gradient = at.part(work.ws, c) + (Layout::parameter_at[i] - first);
        if constexpr (!is_taken<i>()) go_back<i>(pass, c);
      });
      if constexpr (end > 0 && Layout::stops[end > 0 ? end - 1 : 0])
        layer<end - 1>::measure_back(worker, backward_pass<end - 1>(c));
    });
    if (apart && count > 0) add_parts(first, count);
    if constexpr (end > 0) {
      if constexpr (Layout::stops[end - 1])
        layer<end - 1>::combine_back(worker, backward_pass<end - 1>(0));
      backward_from<end - 1>(accumulate);
    }
  }

  template <std::size_t I>
  void measure_back_all() const {
    worker.each(at.chunks,
                [&](std::size_t c) { layer<I>::measure_back(worker, backward_pass<I>(c)); });
    layer<I>::combine_back(worker, backward_pass<I>(0));
  }

  /// Gradients that chunks gave side by side, added in chunk order.
  void add_parts(std::size_t first, std::size_t count) const {
    constexpr std::size_t region = 1 << 14;
    worker.each((count + region - 1) / region, [&](std::size_t s) {
      std::size_t const begin = s * region, size = std::min(region, count - begin);
      for (std::size_t c = 1; c < at.chunks; ++c) {
        strided<T const> const part = at.part(work.ws, c) + begin;
        worker.for_each(work.k, 1, size,
                        op::add_to<T>{part, work.gradient + (first + begin), size});
      }
    });
  }

  template <std::size_t I>
  layer_pass<T> backward_pass(std::size_t c) const {
    auto const ws = at.of_chunk(work.ws, c);
    auto pass = forward_pass<I>(c);
    pass.out_gradient = at.gradient_of(ws, I + 1);
    pass.parameter_gradient = work.gradient + Layout::parameter_at[I];
    if constexpr (Layout::gradients.first[I] == hand_on::write)
      pass.in_gradient = at.gradient_of(ws, step<I>::in);
    else if constexpr (Layout::gradients.first[I] == hand_on::add)
      pass.in_gradient = at.gradient(ws, Layout::gradients.aside[I]);
    return pass;
  }

  /// Whether step I is a convolution that takes step I + 1 along, plane by plane.
  template <std::size_t I>
  static constexpr bool takes_next() {
    if constexpr (I + 1 < depth)
      if constexpr (works_on_planes<layer<I + 1>> && runs_by_filters<Worker, layer<I>>())
        return step<I + 1>::in == I + 1 && Layout::gradients.first[I + 1] == hand_on::write;
    return false;
  }
  template <std::size_t I>
  static constexpr bool is_taken() {
    if constexpr (I > 0) return takes_next<I - 1>();
    return false;
  }

  template <std::size_t I>
  void go_forward(layer_pass<T> const &pass) const {
    if constexpr (is_taken<I>()) {
      // done with the step before
    } else if constexpr (takes_next<I>()) {
      auto next = forward_pass<I + 1>(pass.chunk);
      next.training = pass.training;
      layer<I>::forward_by_filters(
          worker, pass,
          on_planes<direction::forward, true, layer<I + 1>, Worker, T>{worker, next, pass.out});
    } else {
      layer<I>::forward(worker, pass);
      round_values(worker, work.k, pass.out, layer<I>::out.size() * at.lanes);
    }
  }

  /// Backward through one step, and its gradient to where others of the same value are.
  template <std::size_t I>
  void go_back(layer_pass<T> const &pass, std::size_t c) const {
    constexpr auto plan = Layout::gradients;
    auto const ws = at.of_chunk(work.ws, c);
    auto const add = [&](std::size_t value, std::size_t size, strided<T const> from) {
      worker.for_each(work.k, 1, size * at.lanes,
                      op::add_to<T>{from, at.gradient_of(ws, value), size * at.lanes});
      round_values(worker, work.k, at.gradient_of(ws, value), size * at.lanes);
    };
    constexpr std::size_t size = layer<I>::out.size();
    if constexpr (!passes_gradient_on<layer<I>>) {
      if constexpr (takes_next<I>()) {
        auto const next = backward_pass<I + 1>(c);
        layer<I>::backward_by_filters(worker, pass, on_planes < direction::backward,
                                      step<I>::in == 0, layer<I + 1>, Worker,
                                      T > {worker, next, next.in_gradient});
      } else {
        layer<I>::backward(worker, pass);
      }
      if (pass.in_gradient.data)
        round_values(worker, work.k, pass.in_gradient, value_size<step<I>::in>() * at.lanes);
    }
    if constexpr (plan.first[I] == hand_on::add) {
      constexpr bool passed = passes_gradient_on<layer<I>>;
      strided<T const> const from = pass.in_gradient;
      if constexpr (passed)
        add(step<I>::in, size, pass.out_gradient);
      else
        add(step<I>::in, value_size<step<I>::in>(), from);
    }
    if constexpr (joins_two<layer<I>> && plan.second[I] == hand_on::add)
      add(step<I>::second, size, at.gradient_of(ws, step<I>::in));
  }

  template <std::size_t V>
  static constexpr std::size_t value_size() {
    if constexpr (V == 0)
      return 0;
    else
      return layer<V - 1>::out.size();
  }
};

}  // namespace gossip::detail
