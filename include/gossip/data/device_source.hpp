// Samples in device memory: the counterpart of batch_source.hpp for backends that hold their rows
// there. Indices are drawn on the host, which is quick; features stay on the device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/data/batch.hpp>
#include <gossip/data/byte_scale.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/feature_rows.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// A dataset's features and labels in the memory of a backend.
template <class Backend>
class device_samples {
 public:
  /// Stored values of all samples, sample-major with a stride between samples, or none.
  template <class V>
  class rows {
   public:
    rows(feature_rows<V> const &from, Backend const &backend)
        : stride_(widest(from)), values_(from.size() * stride_) {
      for (auto const &[part, begin, owner] : from.blocks())
        if (part.stride == stride_)
          backend.upload(values_.data() + begin * stride_, part.data,
                         (part.rows - 1) * stride_ + part.columns);
        else
          for (std::size_t i = 0; i < part.rows; ++i)
            backend.upload(values_.data() + (begin + i) * stride_, part[i].data(), part.columns);
    }

    static std::size_t bytes(feature_rows<V> const &from) {
      return from.size() * widest(from) * sizeof(V);
    }

    bool empty() const { return values_.size() == 0; }
    std::size_t stride() const { return stride_; }
    V const *data() const { return values_.data(); }

   private:
    static std::size_t widest(feature_rows<V> const &from) {
      std::size_t stride = 0;
      for (auto const &block : from.blocks()) stride = std::max(stride, block.rows.stride);
      return stride;
    }

    std::size_t stride_;
    typename Backend::template buffer<V> values_;
  };

  /// Bytes of device memory for a dataset.
  static std::size_t bytes(dataset const &data) {
    return rows<std::uint8_t>::bytes(data.bytes()) + rows<float>::bytes(data.values()) +
           data.labels().size_bytes();
  }

  device_samples(dataset const &data, Backend const &backend)
      : shape_(data.shape()),
        scales_(data.scales().begin(), data.scales().end()),
        bytes_(data.bytes(), backend),
        values_(data.values(), backend),
        labels_(data.labels().size()) {
    backend.upload(labels_.data(), data.labels().data(), labels_.size());
  }

  sample_shape shape() const { return shape_; }
  std::uint16_t const *labels() const { return labels_.data(); }

  /// f(rows, scale, first feature, features) for every block of features that are scaled alike.
  template <class F>
  void for_each_plane(F f) const {
    if (bytes_.empty()) return f(values_, unscaled{}, std::size_t{0}, shape_.size());
    std::size_t const plane = shape_.size() / scales_.size();
    for (std::size_t p = 0; p < scales_.size(); ++p) f(bytes_, scales_[p], p * plane, plane);
  }

 private:
  sample_shape shape_;
  std::vector<byte_scale> scales_;
  rows<std::uint8_t> bytes_;
  rows<float> values_;
  typename Backend::template buffer<std::uint16_t> labels_;
};

namespace device_op {

/// A feature as it is stored.
struct unmoved {
  template <class V>
  constexpr V operator()(V const *sample, std::size_t, std::size_t feature) const {
    return sample[feature];
  }
};

/// A feature of the sample at a place after its move; 0 where that is padding.
struct moved {
  sample_move const *moves;  // (k, index_stride), as the indices
  sample_shape shape;

  template <class V>
  constexpr V operator()(V const *sample, std::size_t place, std::size_t feature) const {
    std::size_t const within = feature % shape.plane();
    std::size_t const from = moves[place].source(shape, within / shape.width, within % shape.width);
    return from == shape.plane() ? V{0} : sample[feature - within + from];
  }
};

/// inputs of one chunk, a value a call; row counts features from the first one on, lane lanes;
/// lanes beyond the samples get zeros.
template <class T, bool SampleMajor, class V, class Scale, class Shown>
struct gather_inputs {
  V const *stored;  // (samples, sample_stride)
  std::size_t sample_stride;
  Scale scale;
  Shown shown;
  std::uint32_t const *indices;  // (k, index_stride)
  std::size_t index_stride, first, features, count, lanes;
  strided<T> inputs;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const feature = first + row, place = j * index_stride + lane;
    T value{0};
    if (lane < count)
      value = static_cast<T>(scale(shown(stored + indices[place] * sample_stride, place, feature)));
    inputs.at(j)[SampleMajor ? lane * features + feature : feature * lanes + lane] = value;
  }
};

struct gather_labels {
  std::uint16_t const *all;
  std::uint32_t const *indices;
  std::size_t index_stride, count;
  strided<std::uint16_t> labels;

  constexpr void operator()(std::size_t j, std::size_t, std::size_t lane) const {
    labels.at(j)[lane] = lane < count ? all[indices[j * index_stride + lane]] : std::uint16_t{0};
  }
};

/// The inputs and labels of k nodes whose sample indices lie on the device.
template <bool SampleMajor, class Worker, class Samples, class Shown, class T>
void gather(Worker &worker, Samples const &samples, Shown shown, std::uint32_t const *indices,
            std::size_t index_stride, std::size_t k, std::size_t count, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> labels) {
  samples.for_each_plane(
      [&](auto const &rows, auto scale, std::size_t first, std::size_t features) {
        using V = std::remove_cvref_t<decltype(*rows.data())>;
        worker.for_each(k, features, lanes,
                        gather_inputs<T, SampleMajor, V, decltype(scale), Shown>{
                            rows.data(), rows.stride(), scale, shown, indices, index_stride, first,
                            samples.shape().size(), count, lanes, inputs});
      });
  worker.for_each(k, 1, lanes,
                  gather_labels{samples.labels(), indices, index_stride, count, labels});
}

}  // namespace device_op

/// Draws on the host, and begins to upload, what the loads of a task's batches need; before they
/// are launched, and not a part of what is launched again.
template <class Task>
void prepare_batches(Task const &task) {
  if constexpr (requires { task.source.prepare(task); }) task.source.prepare(task);
}

/// A training set in device memory and its shares; empty for a model that is its own data. Copies
/// share the memory.
template <class Backend>
struct device_training_samples {
  std::shared_ptr<device_samples<Backend> const> samples;
  std::optional<crop_and_flip> augmentation;
  partition const *shares = nullptr;  ///< which outlives it

  device_training_samples() = default;
  device_training_samples(dataset const &data, partition const &of_nodes, Backend const &backend)
      : samples(std::make_shared<device_samples<Backend>>(data, backend)),
        augmentation(data.augmentation()),
        shares(&of_nodes) {}

  /// Training samples of a share; 1 where the model is its own data.
  std::size_t samples_of(node share) const { return shares ? shares->size(share) : 1; }
};

/// The batches of all nodes, k at a time, by a stream of the device: reserve, then for each task
/// prepare before any load.
template <bool SampleMajor, class Backend>
class device_batches {
 public:
  device_batches(device_training_samples<Backend> const &of, std::size_t batch, Backend stream)
      : samples_(of.samples),
        augmentation_(of.augmentation),
        shares_(of.shares),
        batch_(batch),
        backend_(std::move(stream)) {}

  /// Room for up to k nodes at a time.
  void reserve(std::size_t k) {
    indices_.reserve(k * batch_);
    if (augmentation_) moves_.reserve(k * batch_);
  }

  /// Draws the batches of a task.
  template <class Task>
  void prepare(Task const &task) {
    auto const indices = indices_.of(task.k * batch_);
    for (std::size_t j = 0; j < task.k; ++j)
      batch_indices(task.seed, task.nodes[j], task.steps[j], (*shares_)[task.nodes[j]],
                    indices.subspan(j * batch_, batch_));
    indices_.upload(backend_, task.k * batch_);
    if (!augmentation_) return;
    auto const moves = moves_.of(task.k * batch_);
    for (std::size_t j = 0; j < task.k; ++j)
      for (std::size_t l = 0; l < batch_; ++l)
        moves[j * batch_ + l] = augmentation_->draw(task.seed, task.nodes[j], task.steps[j], l);
    moves_.upload(backend_, task.k * batch_);
  }

  template <class Worker, class Task, class T>
  void load(Worker &worker, Task const &task, std::size_t first, std::size_t count,
            std::size_t lanes, strided<T> inputs, strided<std::uint16_t> labels) {
    auto const load = [&](auto shown) {
      device_op::gather<SampleMajor>(worker, *samples_, shown, indices_.on_device() + first, batch_,
                                     task.k, count, lanes, inputs, labels);
    };
    if (augmentation_)
      load(device_op::moved{moves_.on_device() + first, samples_->shape()});
    else
      load(device_op::unmoved{});
  }

 private:
  /// Values drawn on the host and needed on the device.
  template <class V>
  class drawn {
   public:
    void reserve(std::size_t count) {
      values_.resize(count);
      copy_ = std::make_shared<buffer>(count);
    }
    std::span<V> of(std::size_t count) { return std::span<V>(values_).first(count); }
    void upload(Backend const &backend, std::size_t count) {
      backend.upload(copy_->data(), values_.data(), count);
    }
    V const *on_device() const { return copy_->data(); }

   private:
    using buffer = typename Backend::template buffer<V>;
    std::vector<V> values_;
    std::shared_ptr<buffer> copy_;
  };

  std::shared_ptr<device_samples<Backend> const> samples_;
  std::optional<crop_and_flip> augmentation_;
  partition const *shares_;
  std::size_t batch_;
  Backend backend_;
  drawn<std::uint32_t> indices_;
  drawn<sample_move> moves_;
};

/// Samples named by an index list, the same for every node; they are not augmented.
template <bool SampleMajor, class Backend>
class device_test_samples {
 public:
  using samples = std::shared_ptr<device_samples<Backend> const>;

  explicit device_test_samples(samples of) : samples_(std::move(of)) {}

  /// The samples of the loads that follow; the list is uploaded where it is another than the last.
  void choose(std::span<std::uint32_t const> indices, Backend const &backend) {
    if (std::ranges::equal(chosen_, indices)) return;
    chosen_.assign(indices.begin(), indices.end());
    if (indices_.size() < chosen_.size())
      indices_ = typename Backend::template buffer<std::uint32_t>(chosen_.size());
    backend.upload(indices_.data(), chosen_.data(), chosen_.size());
  }

  /// From which of the listed samples the next load begins.
  void begin_at(std::size_t first) { begin_ = first; }

  template <class Worker, class Task, class T>
  void load(Worker &worker, Task const &task, std::size_t first, std::size_t count,
            std::size_t lanes, strided<T> inputs, strided<std::uint16_t> labels) {
    device_op::gather<SampleMajor>(worker, *samples_, device_op::unmoved{},
                                   indices_.data() + begin_ + first, 0, task.k, count, lanes,
                                   inputs, labels);
  }

 private:
  samples samples_;
  std::vector<std::uint32_t> chosen_;
  typename Backend::template buffer<std::uint32_t> indices_;  // of those chosen
  std::size_t begin_ = 0;
};

}  // namespace gossip
