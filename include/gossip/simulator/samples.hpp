// A model's samples: the check that a data set fits it, and the source for its workers.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <gossip/core/error.hpp>
#include <gossip/core/hash.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

template <class Model, class Backend>
struct batches {
  using type = no_samples;
};
template <class Model, class Backend>
  requires(Model::learns_from_samples)
struct batches<Model, Backend> {
  using type = std::conditional_t<Backend::on_device, device_batches<Model::sample_major, Backend>,
                                  node_batches<Model::sample_major>>;
};

/// The type of the samples' source for a model's workers.
template <class Model, class Backend>
using source_of = typename batches<Model, Backend>::type;

/// Numbers of a sample; none where a model is its own data.
template <class Model>
constexpr std::size_t features_of() {
  if constexpr (Model::learns_from_samples)
    return Model::sample.size();
  else
    return 0;
}

/// Bytes of what its caller keeps for a run: the samples, and the row that it starts from; on a
/// device the samples there.
template <class Model, class Backend>
std::size_t given_bytes(run_settings const &s, sample_outline data) {
  std::size_t const start = Backend::on_device ? 0 : s.start.size() * sizeof(double);
  return data.bytes(features_of<Model>(), !Backend::on_device) + start;
}

/// Throws input_error unless the samples have the model's shape and no more classes.
template <class Model>
void check_samples(dataset const &data) {
  auto const text = [](auto s) {
    return std::to_string(s.channels) + "x" + std::to_string(s.height) + "x" +
           std::to_string(s.width);
  };
  std::string const got = text(data.shape()), expected = text(Model::sample);
  if (got != expected)
    throw input_error(data.name(), "samples of " + expected + ", as the model has", got);
  if (!chooses_classes<Model> || data.classes() <= Model::classes) return;
  for (std::size_t i = 0; i < data.size(); ++i)
    if (data.labels()[i] >= Model::classes)
      throw input_error(data.name() + ": sample " + std::to_string(i),
                        "a label below " + std::to_string(Model::classes) + ", as the model has",
                        std::to_string(data.labels()[i]));
  throw input_error(data.name(),
                    "at most " + std::to_string(Model::classes) + " classes, as the model has",
                    std::to_string(data.classes()) + ", by the labels of training and test");
}

/// On all ranks: throws input_error where a rank has other samples than rank 0, or divides them
/// otherwise among the nodes.
template <class Transport>
void require_same_samples([[maybe_unused]] Transport const &transport,
                          [[maybe_unused]] dataset const &data,
                          [[maybe_unused]] partition const &shares) {
  if constexpr (Transport::spans_ranks) {
    if (transport.size() == 1) return;
    running_hash samples, nodes;
    data.with_view([&](auto view) {
      for (std::size_t i = 0; i < data.size(); ++i)
        samples.add(view.stored[i].data(), view.stored[i].size_bytes());
    });
    samples.add(data.labels().data(), data.labels().size_bytes());
    samples.add(data.scales().data(), data.scales().size_bytes());
    for (node i = 0; i < shares.nodes(); ++i) {
      std::size_t const size = shares.size(i);
      nodes.add(&size, sizeof size);
      nodes.add(shares[i].data(), shares[i].size_bytes());
    }
    transport.require_same({{"digest of the samples", hex(samples.value())},
                            {"digest of the shares of nodes", hex(nodes.value())}});
  }
}

}  // namespace gossip::detail
