// Where models get their samples: a node's keyed batches, or a stretch of a test set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/data/batch.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/partition.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

namespace detail {

/// Features of one sample from first to first + count, converted; a plain loop over plain pointers.
template <class T>
void convert(byte_features view, std::size_t at, std::size_t count, T *__restrict to) {
  std::uint8_t const *const from = view.stored.data() + at;
  float const scale = view.scale.scale, shift = view.scale.shift;  // a feature is a float
  for (std::size_t f = 0; f < count; ++f)
    to[f] = static_cast<T>(static_cast<float>(from[f]) * scale + shift);
}
template <class T>
void convert(float_features view, std::size_t at, std::size_t count, T *__restrict to) {
  float const *const from = view.stored.data() + at;
  for (std::size_t f = 0; f < count; ++f) to[f] = static_cast<T>(from[f]);
}

/// Samples lie anywhere: asking for one early hides the way to memory.
template <class V>
void fetch_ahead(V const *from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 64 / sizeof(V)) __builtin_prefetch(from + i, 0, 1);
}

/// Writes samples; lanes beyond them get zeros. sample(l) is the index of lane l.
/// inputs: (lanes, features) if SampleMajor, else (features, lanes).
template <bool SampleMajor, class T, class View, class Index>
void gather(View view, std::size_t features, std::size_t count, std::size_t lanes, Index sample,
            T *inputs) {
  if constexpr (SampleMajor) {
    for (std::size_t l = 0; l < count; ++l) {
      if (l + 8 < count) fetch_ahead(view.stored.data() + sample(l + 8) * features, features);
      convert(view, sample(l) * features, features, inputs + l * features);
    }
    std::fill(inputs + count * features, inputs + lanes * features, T{0});
  } else {
    constexpr std::size_t block = 16;
    for (std::size_t f = 0; f < features; f += block)
      for (std::size_t l = 0; l < lanes; l += lane_group) {
        std::size_t const width = std::min(block, features - f);
        T rows[lane_group][block] = {}, tile[block][lane_group];
        for (std::size_t j = l; j < std::min(l + lane_group, count); ++j)
          convert(view, sample(j) * features + f, width, rows[j - l]);
        for (std::size_t i = 0; i < block; ++i)
          for (std::size_t j = 0; j < lane_group; ++j) tile[i][j] = rows[j][i];
        for (std::size_t i = 0; i < width; ++i)
          std::copy_n(tile[i], lane_group, inputs + (f + i) * lanes + l);
      }
  }
}

}  // namespace detail

/// The batches of all nodes, one worker's view of them. Batch `step` of node i depends on (seed, i,
/// step) and the node's share alone.
template <bool SampleMajor>
class node_batches {
 public:
  node_batches(dataset const &data, partition const &shares, std::size_t batch)
      : data_(&data), shares_(&shares), indices_(batch) {}

  template <class Worker, class Task, class T>
  void load(Worker &, Task const &task, std::size_t first, std::size_t count, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> labels) {
    for (std::size_t j = 0; j < task.k; ++j) {
      batch_indices(task.seed, task.nodes[j], task.steps[j], (*shares_)[task.nodes[j]], indices_);
      auto const sample = [&](std::size_t l) { return std::size_t{indices_[first + l]}; };
      data_->with_view([&](auto view) {
        detail::gather<SampleMajor>(view, data_->shape().size(), count, lanes, sample,
                                    inputs.at(j));
      });
      for (std::size_t l = 0; l < count; ++l) labels.at(j)[l] = data_->labels()[sample(l)];
    }
  }

 private:
  dataset const *data_;
  partition const *shares_;
  std::vector<std::uint32_t> indices_;
};

/// Samples named by an index list, the same for every node.
template <bool SampleMajor>
class test_samples {
 public:
  test_samples(dataset const &data, std::span<std::uint32_t const> indices)
      : data_(&data), indices_(indices) {}

  template <class Worker, class Task, class T>
  void load(Worker &, Task const &task, std::size_t first, std::size_t count, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> labels) {
    auto const sample = [&](std::size_t l) { return std::size_t{indices_[first + l]}; };
    for (std::size_t j = 0; j < task.k; ++j) {
      data_->with_view([&](auto view) {
        detail::gather<SampleMajor>(view, data_->shape().size(), count, lanes, sample,
                                    inputs.at(j));
      });
      for (std::size_t l = 0; l < count; ++l) labels.at(j)[l] = data_->labels()[sample(l)];
    }
  }

 private:
  dataset const *data_;
  std::span<std::uint32_t const> indices_;
};

/// For models that are their own data.
struct no_samples {};

}  // namespace gossip
