// Samples in device memory: the counterpart of batch_source.hpp for backends that hold their rows
// there. Indices are drawn on the host, which is quick; features stay on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gossip/data/batch.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/partition.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// A dataset's features and labels in the memory of a backend.
template <class Backend>
class device_samples {
 public:
  device_samples(dataset const &data, Backend const &backend)
      : features_(data.shape().size()),
        scale_(data.scale()),
        bytes_(data.bytes().size()),
        values_(data.values().size()),
        labels_(data.labels().size()) {
    backend.upload(bytes_.data(), data.bytes().data(), bytes_.size());
    backend.upload(values_.data(), data.values().data(), values_.size());
    backend.upload(labels_.data(), data.labels().data(), labels_.size());
  }

  std::size_t features() const { return features_; }
  byte_scale scale() const { return scale_; }
  std::uint8_t const *bytes() const { return bytes_.size() > 0 ? bytes_.data() : nullptr; }
  float const *values() const { return values_.data(); }
  std::uint16_t const *labels() const { return labels_.data(); }

 private:
  std::size_t features_;
  byte_scale scale_;
  typename Backend::template buffer<std::uint8_t> bytes_;  // (samples, features), or empty
  typename Backend::template buffer<float> values_;        // the same
  typename Backend::template buffer<std::uint16_t> labels_;
};

namespace device_op {

/// inputs of one chunk, a value a call; row counts features, lane lanes; lanes beyond get zeros.
template <class T, bool SampleMajor>
struct gather_inputs {
  std::uint8_t const *bytes;
  float const *values;
  byte_scale scale;
  std::uint32_t const *indices;  // (k, index_stride)
  std::size_t index_stride, features, count, lanes;
  strided<T> inputs;

  constexpr void operator()(std::size_t j, std::size_t feature, std::size_t lane) const {
    T value{0};
    if (lane < count) {
      std::size_t const at = indices[j * index_stride + lane] * features + feature;
      value = static_cast<T>(bytes ? byte_features{{}, scale}(bytes[at]) : values[at]);
    }
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
template <bool SampleMajor, class Worker, class Samples, class T>
void gather(Worker &worker, Samples const &samples, std::uint32_t const *indices,
            std::size_t index_stride, std::size_t k, std::size_t count, std::size_t lanes,
            strided<T> inputs, strided<std::uint16_t> labels) {
  worker.for_each(
      k, samples.features(), lanes,
      gather_inputs<T, SampleMajor>{samples.bytes(), samples.values(), samples.scale(), indices,
                                    index_stride, samples.features(), count, lanes, inputs});
  worker.for_each(k, 1, lanes,
                  gather_labels{samples.labels(), indices, index_stride, count, labels});
}

}  // namespace device_op

/// The batches of all nodes, k at a time.
template <bool SampleMajor, class Backend>
class device_batches {
 public:
  device_batches(dataset const &data, partition const &shares, std::size_t batch, Backend backend)
      : samples_(std::make_shared<device_samples<Backend>>(data, backend)),
        shares_(&shares),
        batch_(batch),
        backend_(backend) {}

  template <class Worker, class Task, class T>
  void load(Worker &worker, Task const &task, std::size_t first, std::size_t count,
            std::size_t lanes, strided<T> inputs, strided<std::uint16_t> labels) {
    if (first == 0) draw(task);
    device_op::gather<SampleMajor>(worker, *samples_, indices_->data() + first, batch_, task.k,
                                   count, lanes, inputs, labels);
  }

 private:
  template <class Task>
  void draw(Task const &task) {
    drawn_.resize(task.k * batch_);
    for (std::size_t j = 0; j < task.k; ++j)
      batch_indices(task.seed, task.nodes[j], task.steps[j], (*shares_)[task.nodes[j]],
                    std::span(drawn_).subspan(j * batch_, batch_));
    using indices = typename Backend::template buffer<std::uint32_t>;
    if (!indices_ || indices_->size() < drawn_.size())
      indices_ = std::make_shared<indices>(drawn_.size());
    backend_.upload(indices_->data(), drawn_.data(), drawn_.size());
  }

  std::shared_ptr<device_samples<Backend>> samples_;
  partition const *shares_;
  std::size_t batch_;
  Backend backend_;
  std::vector<std::uint32_t> drawn_;
  std::shared_ptr<typename Backend::template buffer<std::uint32_t>> indices_;
};

/// Samples named by an index list, the same for every node.
template <bool SampleMajor, class Backend>
class device_test_samples {
 public:
  device_test_samples(dataset const &data, std::span<std::uint32_t const> indices, Backend backend)
      : samples_(data, backend), indices_(indices.size()) {
    backend.upload(indices_.data(), indices.data(), indices.size());
  }

  /// From which of the listed samples the next load begins.
  void begin_at(std::size_t first) { begin_ = first; }

  template <class Worker, class Task, class T>
  void load(Worker &worker, Task const &task, std::size_t first, std::size_t count,
            std::size_t lanes, strided<T> inputs, strided<std::uint16_t> labels) {
    device_op::gather<SampleMajor>(worker, samples_, indices_.data() + begin_ + first, 0, task.k,
                                   count, lanes, inputs, labels);
  }

 private:
  device_samples<Backend> samples_;
  typename Backend::template buffer<std::uint32_t> indices_;
  std::size_t begin_ = 0;
};

}  // namespace gossip
