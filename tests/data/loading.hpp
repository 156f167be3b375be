// Inputs and labels that sources load from small sets of every kind: bytes and floats, one scale
// and several, packed and apart, plain and augmented.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/backend/serial.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/device_source.hpp>

#include "features.hpp"

namespace gossip::test {

/// Forty samples of 2 x 6 x 5 whose bytes tell sample, channel and pixel apart well enough.
inline dataset small_bytes(std::vector<byte_scale> scales) {
  std::vector<std::uint8_t> bytes(40 * 60);
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::uint8_t>(k * 7 + k / 60);
  std::vector<std::uint16_t> labels(40);
  for (std::size_t i = 0; i < 40; ++i) labels[i] = static_cast<std::uint16_t>(i % 4);
  return {"small", {2, 6, 5}, 4, std::move(bytes), std::move(labels), std::move(scales)};
}

inline dataset small_floats() {
  dataset const bytes = small_bytes({{0.5F, -3.0F}});
  std::vector<std::uint16_t> labels(bytes.labels().begin(), bytes.labels().end());
  return {"small", bytes.shape(), 4, features_of(bytes), std::move(labels)};
}

/// The same samples in two blocks, the first with a byte before each sample.
inline dataset apart(dataset const &data) {
  auto const memory = std::make_shared<std::vector<std::uint8_t>>();
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i < 11) memory->push_back(255);
    memory->insert(memory->end(), data.bytes()[i].begin(), data.bytes()[i].end());
  }
  feature_rows<std::uint8_t> rows;
  rows.append({memory->data() + 1, 11, 60, 61}, memory);
  rows.append({memory->data() + 11 * 61, data.size() - 11, 60, 60}, memory);
  dataset const all("apart", data.shape(), 4, std::move(rows),
                    {data.labels().begin(), data.labels().end()},
                    {data.scales().begin(), data.scales().end()});
  return data.augmentation() ? all.augmented(*data.augmentation()) : all;
}

inline std::vector<dataset> variants_of_small_sets() {
  std::vector<byte_scale> const one{{0.5F, -3.0F}}, each{{0.1F, 0.7F}, {0.3F, -0.2F}};
  std::vector<dataset> all;
  for (dataset const &plain : {small_bytes(one), small_bytes(each), small_floats(),
                               apart(small_bytes(one)), apart(small_bytes(each))}) {
    all.push_back(plain);
    all.push_back(plain.augmented({.padding = 4}));
    all.push_back(plain.augmented({.padding = 2, .flip = false}));
  }
  return all;
}

inline partition three_shares() {
  std::vector<node> owner(40);
  for (std::size_t i = 0; i < 40; ++i) owner[i] = static_cast<node>(i % 3);
  return group_by<node>(owner, 3);
}

/// The part of a task that sources read.
struct small_task {
  std::size_t k;
  std::uint64_t seed;
  node const *nodes;
  std::uint64_t const *steps;
};

/// Inputs and labels for three nodes at steps of their own, batches of 70 in chunks of 64 and 6.
template <class Source, class Backend>
std::vector<float> loaded(Source source, Backend const &backend) {
  using worker_type = typename Backend::worker;
  auto const worker = [&] {
    if constexpr (std::is_constructible_v<worker_type, Backend const &>)
      return worker_type(backend);
    else
      return worker_type{};
  }();
  std::vector<node> const nodes{2, 0, 1};
  std::vector<std::uint64_t> const steps{5, 0, 9};
  small_task const task{3, 17, nodes.data(), steps.data()};
  std::vector<float> everything;
  if constexpr (requires { source.prepare(task); }) {
    source.reserve(task.k);
    source.prepare(task);
  }
  for (std::size_t first = 0; first < 70; first += chunk_samples) {
    std::size_t const count = std::min(70 - first, chunk_samples), lanes = lanes_for(count);
    std::vector<float> inputs(3 * 60 * lanes);
    std::vector<std::uint16_t> labels(3 * lanes);
    typename Backend::template buffer<float> inputs_there(inputs.size());
    typename Backend::template buffer<std::uint16_t> labels_there(labels.size());
    source.load(worker, task, first, count, lanes, strided<float>{inputs_there.data(), 60 * lanes},
                strided<std::uint16_t>{labels_there.data(), lanes});
    backend.download(inputs.data(), inputs_there.data(), inputs.size());
    backend.download(labels.data(), labels_there.data(), labels.size());
    everything.insert(everything.end(), inputs.begin(), inputs.end());
    for (std::size_t j = 0; j < 3; ++j)
      everything.insert(everything.end(), labels.data() + j * lanes,
                        labels.data() + j * lanes + count);
  }
  return everything;
}

template <bool SampleMajor>
std::vector<float> load_on_host(dataset const &data) {
  partition const shares = three_shares();
  return loaded(node_batches<SampleMajor>(data, shares, 70), serial{});
}

template <bool SampleMajor, class Backend>
std::vector<float> load_on_device(dataset const &data, Backend const &backend) {
  partition const shares = three_shares();
  return loaded(device_batches<SampleMajor, Backend>({data, shares, backend}, 70, backend),
                backend);
}

}  // namespace gossip::test
