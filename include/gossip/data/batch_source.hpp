// Sources of a model's samples: a node's keyed batches, or a block of a test set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/data/batch.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

namespace detail {

/// Stored values as features; a plain loop over plain pointers.
template <class V, class Scale, class T>
void convert(V const *__restrict from, Scale scale, std::size_t count, T *__restrict to) {
  for (std::size_t f = 0; f < count; ++f) to[f] = static_cast<T>(scale(from[f]));
}

/// Samples lie anywhere: asking for one early hides the way to memory.
template <class V>
void fetch_ahead(V const *from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 64 / sizeof(V)) __builtin_prefetch(from + i, 0, 1);
}

/// Writes samples, of which the stored values are given; lanes beyond them get zeros.
/// inputs: (lanes, features) if SampleMajor, else (features, lanes).
template <bool SampleMajor, class View, class V, class T>
void gather(View view, std::size_t features, std::span<V const *> samples, std::size_t lanes,
            T *inputs) {
  std::size_t const count = samples.size(), plane = features / view.planes();
  if constexpr (SampleMajor) {
    for (std::size_t l = 0; l < count; ++l) {
      if (l + 8 < count) fetch_ahead(samples[l + 8], features);
      for (std::size_t p = 0; p < view.planes(); ++p)
        convert(samples[l] + p * plane, view.scale(p), plane, inputs + l * features + p * plane);
    }
    std::fill(inputs + count * features, inputs + lanes * features, T{0});
  } else {
    constexpr std::size_t block = 16;
    for (std::size_t p = 0; p < view.planes(); ++p)
      for (std::size_t f = p * plane; f < (p + 1) * plane; f += block)
        for (std::size_t l = 0; l < lanes; l += lane_group) {
          std::size_t const width = std::min(block, (p + 1) * plane - f);
          T rows[lane_group][block] = {}, tile[block][lane_group];
          for (std::size_t j = l; j < std::min(l + lane_group, count); ++j)
            convert(samples[j] + f, view.scale(p), width, rows[j - l]);
          for (std::size_t i = 0; i < block; ++i)
            for (std::size_t j = 0; j < lane_group; ++j) tile[i][j] = rows[j][i];
          for (std::size_t i = 0; i < width; ++i)
            std::copy_n(tile[i], lane_group, inputs + (f + i) * lanes + l);
        }
  }
}

/// Loads samples of a set, with room for what that takes; room is kept from one chunk to the next.
class chunk_loader {
 public:
  explicit chunk_loader(dataset const &data) : data_(&data) {}

  /// Stands for the moves of samples that are shown as they are stored.
  struct unmoved {};

  /// Inputs (lanes, features) or (features, lanes) and labels of the samples named; moves(l) is how
  /// sample l is moved.
  template <bool SampleMajor, class Moves, class T>
  void load(std::span<std::uint32_t const> indices, std::size_t lanes, Moves moves, T *inputs,
            std::uint16_t *labels) {
    load(indices, moves, labels, [&](auto view, auto samples) {
      gather<SampleMajor>(view, data_->shape().size(), samples, lanes, inputs);
    });
  }

  /// The labels, and store(view, where the samples are) for what becomes of the features.
  template <class Moves, class Store>
  void load(std::span<std::uint32_t const> indices, Moves moves, std::uint16_t *labels,
            Store store) {
    sample_shape const shape = data_->shape();
    data_->with_view([&](auto view) {
      auto &[samples, moved] = std::get<room<typename decltype(view)::stored_type>>(rooms_);
      samples.resize(indices.size());
      for (std::size_t l = 0; l < samples.size(); ++l) samples[l] = view.stored[indices[l]].data();
      if constexpr (!std::is_same_v<Moves, unmoved>) {
        moved.resize(std::max(moved.size(), samples.size() * shape.size()));
        for (std::size_t l = 0; l < samples.size(); ++l) {
          if (l + 8 < samples.size()) fetch_ahead(samples[l + 8], shape.size());
          auto *const to = moved.data() + l * shape.size();
          move_sample(samples[l], shape, moves(l), to);
          samples[l] = to;
        }
      }
      store(view, std::span(samples));
    });
    for (std::size_t l = 0; l < indices.size(); ++l) labels[l] = data_->labels()[indices[l]];
  }

 private:
  template <class V>
  struct room {
    std::vector<V const *> samples;  // as they are stored
    std::vector<V> moved;            // (samples, features)
  };

  dataset const *data_;
  std::tuple<room<std::uint8_t>, room<float>> rooms_;
};

}  // namespace detail

/// The batches of all nodes, one worker's view of them. Batch `step` of node i depends on (seed, i,
/// step) and the node's share alone, and so does how the samples in it are augmented.
template <bool SampleMajor>
class node_batches {
 public:
  static constexpr bool hands_out_bytes = true;  // has with_bytes

  node_batches(dataset const &data, partition const &shares, std::size_t batch)
      : loader_(data), augmentation_(data.augmentation()), shares_(&shares), batch_(batch) {}

  /// Training samples of node i.
  std::size_t samples_of(node i) const { return (*shares_)[i].size(); }

  template <class Worker, class Task, class T>
  void load(Worker &, Task const &task, std::size_t first, std::size_t count, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> labels) {
    each_batch(task, first, count, [&](std::size_t j, auto chunk, auto moves) {
      loader_.load<SampleMajor>(chunk, lanes, moves, inputs.at(j), labels.at(j));
    });
  }

  /// Samples as they are stored, for layers that take bytes: f(node of the cohort, samples, their
  /// scale), where all are bytes of one scale. Returns whether they are; labels come in any case.
  template <class Task, class F>
  bool with_bytes(Task const &task, std::size_t first, std::size_t count,
                  strided<std::uint16_t> labels, F f) {
    bool done = true;
    each_batch(task, first, count, [&](std::size_t j, auto chunk, auto moves) {
      loader_.load(chunk, moves, labels.at(j), [&](auto view, auto samples) {
        if constexpr (std::is_same_v<typename decltype(view)::stored_type, std::uint8_t>)
          if (view.planes() == 1)
            return f(j, std::span<std::uint8_t const *const>(samples), view.scale(0));
        done = false;
      });
    });
    return done;
  }

 private:
  /// f(node of the cohort, sample indices, moves of samples). Draws these places of a batch alone:
  /// a model asks for a large batch in many chunks.
  template <class Task, class F>
  void each_batch(Task const &task, std::size_t first, std::size_t count, F f) {
    indices_.resize(std::max(indices_.size(), count));
    auto const chunk = std::span(indices_).first(count);
    for (std::size_t j = 0; j < task.k; ++j) {
      node const i = task.nodes[j];
      stream_indices(task.seed, i, task.steps[j] * batch_ + first, (*shares_)[i], chunk);
      if (augmentation_)
        f(j, chunk, [&](std::size_t l) {
          return augmentation_->draw(task.seed, i, task.steps[j], first + l);
        });
      else
        f(j, chunk, detail::chunk_loader::unmoved{});
    }
  }

  detail::chunk_loader loader_;
  std::optional<crop_and_flip> augmentation_;
  partition const *shares_;
  std::size_t batch_;
  std::vector<std::uint32_t> indices_;  // of the places that were asked for last
};

/// Samples named by an index list, the same for every node; they are not augmented.
template <bool SampleMajor>
class test_samples {
 public:
  test_samples(dataset const &data, std::span<std::uint32_t const> indices)
      : loader_(data), indices_(indices) {}

  template <class Worker, class Task, class T>
  void load(Worker &, Task const &task, std::size_t first, std::size_t count, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> labels) {
    for (std::size_t j = 0; j < task.k; ++j)
      loader_.load<SampleMajor>(indices_.subspan(first, count), lanes,
                                detail::chunk_loader::unmoved{}, inputs.at(j), labels.at(j));
  }

 private:
  detail::chunk_loader loader_;
  std::span<std::uint32_t const> indices_;
};

/// For models that are their own data.
struct no_samples {};

}  // namespace gossip
