// Statistics of models measured anew on a device, before they are evaluated there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/data/device_source.hpp>
#include <gossip/engine/device/keys.hpp>
#include <gossip/model/batch_owners.hpp>
#include <gossip/model/model.hpp>

namespace gossip {

namespace device_op {

/// sums (k, count) [+]= the last `count` numbers of each gradient (k, d)
template <class T>
struct add_statistics {
  T const *gradients;
  double *sums;
  std::size_t d, count;
  bool first;

  constexpr void operator()(std::size_t index) const {
    std::size_t const j = index / count, c = index % count;
    double const value = static_cast<double>(gradients[j * d + d - count + c]);
    sums[index] = (first ? 0.0 : sums[index]) + value;
  }
};

/// The last `count` numbers of each row (k, d) = sums / batches
template <class T>
struct put_statistics {
  double const *sums;
  T *rows;
  std::size_t d, count;
  double batches;

  constexpr void operator()(std::size_t index) const {
    std::size_t const j = index / count, c = index % count;
    rows[j * d + d - count + c] = static_cast<T>(sums[index] / batches);
  }
};

}  // namespace device_op

/// Replaces the statistics of rows (k, d) by those of batches, averaged: owners[j] has the node of
/// each batch of row j, all rows as many. `task` is a training task over the rows, of `keys`.
template <class Backend, class Model, class Worker, class T, class Source>
void measure_anew(Backend const &backend, Model const &model, Worker &worker,
                  training_task<T, Source> task, device_keys<Backend> &keys, T *rows,
                  std::vector<std::vector<node>> const &owners) {
  constexpr std::size_t d = row_length<Model>, count = d - Model::parameters;
  if constexpr (count > 0) {
    std::size_t const batches = owners.front().size();
    typename Backend::template buffer<double> sums(task.k * count);
    std::vector<node> now(task.k);
    std::vector<std::uint64_t> steps(task.k);
    for (std::size_t b = 0; b < batches; ++b) {
      for (std::size_t j = 0; j < task.k; ++j) {
        now[j] = owners[j][b];
        steps[j] = times_before(owners[j], b);
      }
      keys.take(backend, now, steps);
      task.nodes = keys.shares();
      task.steps = keys.steps();
      prepare_batches(task);
      model.batch_statistics(worker, task);
      backend.launch(task.k * count, device_op::add_statistics<T>{task.gradient.data, sums.data(),
                                                                  d, count, b == 0});
    }
    backend.launch(task.k * count, device_op::put_statistics<T>{sums.data(), rows, d, count,
                                                                static_cast<double>(batches)});
    backend.wait();  // the sums are freed
  }
}

}  // namespace gossip
