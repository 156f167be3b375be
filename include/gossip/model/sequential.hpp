// A feed-forward network as a type: layers one behind the other, or around each other, under a
// loss.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <gossip/core/random.hpp>
#include <gossip/model/detail/chunk_losses.hpp>
#include <gossip/model/detail/layout.hpp>
#include <gossip/model/detail/network.hpp>
#include <gossip/model/detail/network_pass.hpp>
#include <gossip/model/detail/workspace.hpp>
#include <gossip/model/losses.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip {

/// The shape of a sample; always the first entry of a sequential.
template <std::size_t Channels, std::size_t Height, std::size_t Width>
struct input {
  static constexpr tensor_shape shape{Channels, Height, Width};
};

template <class Input, class... Layers>
class sequential;

/// sequential<input<1, 28, 28>, conv2d<20, 5>, relu, dense<10>>: the last layer's outputs are the
/// scores of the classes. A loss behind it takes the place of softmax_cross_entropy
/// (model/losses.hpp). The row of a node holds the layers' parameters in order, then their
/// statistics.
template <std::size_t C, std::size_t H, std::size_t W, class... Layers>
class sequential<input<C, H, W>, Layers...> {
  using network = detail::network<tensor_shape{C, H, W}, Layers...>;
  static_assert(!std::is_same_v<typename network::layers, detail::layer_list<>>,
                "gossip::sequential: a model needs at least one layer.");
  using layout = detail::model_layout<tensor_shape{C, H, W}, typename network::steps>;
  using loss_type = typename network::loss;
  static constexpr std::size_t depth = layout::depth;
  static constexpr std::size_t outputs = layout::template layer_at<depth - 1>::out.size();
  static constexpr std::size_t targets = loss_type::targets(outputs);

 public:
  /// With the targets of the loss, behind the features.
  static constexpr tensor_shape sample =
      targets == 0 ? tensor_shape{C, H, W} : tensor_shape{1, 1, C *H *W + targets};
  static constexpr std::size_t classes = loss_type::classes(outputs);
  static constexpr std::size_t parameters = layout::parameters;
  static constexpr std::size_t statistics = layout::statistics;
  static constexpr auto tensors = layout::tensors;
  static constexpr bool learns_from_samples = true;
  static constexpr bool scales_loss = true;
  static constexpr bool sample_major = detail::reads_samples<layout>();

  static constexpr double evaluation_flops = detail::forward_flops<layout>();
  static constexpr double training_flops = detail::training_flops<layout>();

  /// Whether all chunks of a batch go through the layers side by side: where a layer looks at them
  /// all, or where a batch is worth several cores. Weights that are read for many positions of a
  /// sample need few samples at a time on a host; on a device large products are faster.
  static constexpr bool reuses_weights = evaluation_flops > 20.0 * parameters;
  static constexpr bool whole_batch =
      layout::looks_at_whole_batch || (reuses_weights && parameters > 2'000'000);
  static constexpr std::size_t chunk = whole_batch && reuses_weights ? lane_group : chunk_samples;
  template <class Worker>
  static constexpr std::size_t chunk_on = prefers_full_chunks<Worker> ? chunk_samples : chunk;

  /// Bytes one node in work needs beside its row and its gradient; on this worker; void: on any.
  template <class T, class Worker = void>
  static constexpr std::size_t workspace_bytes(std::size_t batch) {
    std::size_t const bytes = places<T, Worker>(batch).bytes();
    if constexpr (!std::is_void_v<Worker>) return bytes;
    return std::max(bytes, places<T, scratch_as<scratch_use::columns>>(batch).bytes());
  }

  /// The start of every node: keyed by the seed and the layer, the same on all. row: (parameters,
  /// then statistics).
  template <class T>
  void initialise(std::span<T> row, std::uint64_t seed) const {
    detail::each_step<depth>([&](auto index) {
      using layer = typename layout::template layer_at<index()>;
      keyed_random random(seed, purpose::initial_parameters, index(), 0);
      layer::initialise(row.subspan(layout::parameter_at[index()], layer::parameters), random);
      if constexpr (detail::looks_at_batch<layer>)
        layer::initialise_statistics(
            row.subspan(parameters + layout::statistics_at[index()], layer::statistics));
    });
  }

  /// The mean gradient over each node's batch; chunks are added in their order.
  template <class Worker, class T, class Source>
  void gradient(Worker &worker, training_task<T, Source> const &task) const {
    std::size_t const at_once = whole_batch ? task.samples : chunk_on<Worker>;
    for (std::size_t first = 0; first < task.samples; first += at_once)
      learn(worker, task, first, std::min(task.samples - first, at_once));
  }

  /// The statistics of each node's batch, behind the parameters in the task's gradient.
  template <class Worker, class T, class Source>
  void batch_statistics(Worker &worker, training_task<T, Source> const &task) const {
    static_assert(statistics > 0, "gossip::sequential::batch_statistics: no layer has statistics.");
    auto const at = places<T, Worker>(task.samples);
    pass<Worker, T> const run = pass_over<Worker>(worker, task, at, 0, task.samples);
    load(run, worker, task, 0, task.samples);
    run.forward();
  }

  /// Losses and winning classes of up to chunk_samples samples.
  template <class Worker, class T, class Source>
  void evaluate(Worker &worker, evaluation_task<T, Source> const &task) const {
    constexpr std::size_t at_once = chunk_on<Worker>;
    auto const at = places<T, Worker>(task.samples);
    for (std::size_t c = 0; c * at_once < task.samples; ++c)
      task.source.load(worker, task, c * at_once, count_of<Worker>(task.samples, c), at.lanes,
                       at.inputs(at.of_chunk(task.workspace, part_of(c))),
                       at.labels(at.of_chunk(task.workspace, part_of(c))));
    pass<Worker, T> const run{
        worker,
        at,
        {task.k,
         task.samples,
         at_once,
         0,
         task.parameters,
         task.statistics.data ? task.statistics : task.parameters + parameters,
         {},
         task.workspace,
         {}}};
    worker.each(at.chunks, [&](std::size_t c) {
      auto const ws = at.of_chunk(task.workspace, c);
      std::size_t const count = count_of<Worker>(task.samples, c);
      run.evaluate(c);
      choose(worker, task.k, at, ws);
      score<Worker, T>(worker, task.k, at, ws, count, T{1}, nullptr);
    });
    for (std::size_t c = 0; c < at.chunks; ++c) {
      auto const ws = at.of_chunk(task.workspace, c);
      std::size_t const count = count_of<Worker>(task.samples, c);
      worker.for_each(task.k, 1, 1,
                      detail::mean_loss<T, decltype(at)>{at, ws, task.loss, count, T{1}, c > 0});
      worker.for_each(
          task.k, 1, 1,
          detail::count_correct<decltype(at), (classes > 0)>{at, ws, task.correct, count, c > 0});
    }
  }

 private:
  template <class T, class Worker>
  using workspace = detail::workspace<T, layout, sample, whole_batch, scratch_of_worker<Worker>>;
  template <class Worker, class T>
  using pass = detail::network_pass<Worker, T, layout, workspace<T, Worker>>;

  template <class T, class Worker>
  static constexpr workspace<T, Worker> places(std::size_t samples) {
    constexpr std::size_t at_once = chunk_on<Worker>;
    std::size_t const chunks = whole_batch ? (samples + at_once - 1) / at_once : 1;
    return {lanes_for(std::min(samples, at_once)), std::max<std::size_t>(chunks, 1)};
  }
  static constexpr std::size_t part_of(std::size_t c) { return whole_batch ? c : 0; }
  template <class Worker>
  static constexpr std::size_t count_of(std::size_t samples, std::size_t c) {
    return std::min(samples - c * chunk_on<Worker>, chunk_on<Worker>);
  }

  /// The gradient of `count` samples of each batch from `first` on, added to that of those before.
  template <class Worker, class T, class Source>
  static void learn(Worker &worker, training_task<T, Source> const &task, std::size_t first,
                    std::size_t count) {
    auto const at = places<T, Worker>(count);
    T const scale = T{1} / static_cast<T>(task.samples);
    pass<Worker, T> const run = pass_over<Worker>(worker, task, at, first, count);
    if (load(run, worker, task, first, count))
      run.forward_after_first();
    else
      run.forward();
    worker.each(at.chunks, [&](std::size_t c) {
      auto const ws = at.of_chunk(task.workspace, c);
      score(worker, task.k, at, ws, count_of<Worker>(count, c), scale, task.loss_scale);
      detail::round_values(worker, task.k, at.gradient_of(ws, depth), outputs * at.lanes);
    });
    for (std::size_t c = 0; c < at.chunks; ++c)
      worker.for_each(
          task.k, 1, 1,
          detail::mean_loss<T, decltype(at)>{at, at.of_chunk(task.workspace, c), task.loss,
                                             count_of<Worker>(count, c), scale, first + c > 0});
    run.backward(first > 0);
  }

  template <class Worker, class T, class Source>
  static pass<Worker, T> pass_over(Worker &worker, training_task<T, Source> const &task,
                                   workspace<T, Worker> const &at, std::size_t first,
                                   std::size_t count) {
    return {worker,
            at,
            {task.k, count, chunk_on<Worker>, first, task.parameters, task.parameters + parameters,
             task.gradient, task.workspace, task.key()}};
  }

  /// Inputs and labels of all chunks; returns whether the first step is done with it.
  template <class Run, class Worker, class T, class Source>
  static bool load(Run const &run, Worker &worker, training_task<T, Source> const &task,
                   std::size_t first, std::size_t count) {
    using head = typename layout::template layer_at<0>;
    auto const at = run.at;
    if constexpr (!whole_batch && !detail::rounds_values<Worker> &&
                  detail::multiplies_bytes<Worker, head, Source, T>) {
      auto const product = head::product(run.template forward_pass<0>(0));
      auto const inputs = at.inputs(task.workspace);
      auto const multiply = [&](std::size_t j, auto samples, auto const &scale) {
        worker.dense_of_bytes(j, product, inputs, samples, scale.scale, scale.shift);
      };
      if (task.source.with_bytes(task, first, count, at.labels(task.workspace), multiply))
        return true;
    }
    for (std::size_t c = 0; c < at.chunks; ++c) {
      auto const ws = at.of_chunk(task.workspace, c);
      task.source.load(worker, task, first + c * chunk_on<Worker>, count_of<Worker>(count, c),
                       at.lanes, at.inputs(ws), at.labels(ws));
      detail::round_values(worker, task.k, at.inputs(ws), sample.size() * at.lanes);
    }
    return false;
  }

  /// The gradient of the scores of one chunk, and the loss's parts.
  template <class Worker, class T>
  static void score(Worker &worker, std::size_t k, workspace<T, Worker> const &at,
                    strided<std::byte> ws, std::size_t count, T scale, T const *loss_scale) {
    constexpr std::size_t group = Worker::lane_step;
    auto const each_group = [&](auto f) {
      worker.for_each(k, (at.lanes + group - 1) / group, 1, f);
    };
    if constexpr (std::is_same_v<loss_type, softmax_cross_entropy>)  // lane by lane in registers
      each_group(op::softmax_cross_entropy<T, group>{
          at.scores(ws), at.labels(ws), at.gradient_of(ws, depth), at.loss_part(ws, 0),
          at.loss_part(ws, 1), at.loss_part(ws, 2), outputs, at.lanes, count, scale, loss_scale});
    else
      each_group(detail::sample_losses<loss_type, T, group>{
          at.scores(ws), at.value(ws, C * H * W), at.labels(ws), at.gradient_of(ws, depth),
          at.loss_part(ws, 0), at.loss_part(ws, 1), at.loss_part(ws, 2), outputs, at.lanes, count,
          scale, loss_scale});
  }

  /// The class that each sample's outputs say, of losses that have classes.
  template <class Worker, class T>
  static void choose(Worker &worker, std::size_t k, workspace<T, Worker> const &at,
                     strided<std::byte> ws) {
    if constexpr (outputs == 1 && classes == 2)
      worker.for_each(k, 1, at.lanes, detail::choose_side<T>{at.scores(ws), at.choices(ws)});
    else if constexpr (classes > 0)
      worker.for_each(k, 1, at.lanes,
                      op::choose_class<T>{at.scores(ws), at.choices(ws), outputs, at.lanes});
  }
};

}  // namespace gossip
