// A model's samples: the check that a data set fits it, and the source for its workers.
#pragma once

#include <cstddef>
#include <type_traits>

#include <gossip/core/hash.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/device_source.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// The samples of a run: on the host where they lie, or in the memory of a device.
template <class Backend>
using source_of =
    std::conditional_t<Backend::on_device, device_training_samples<Backend>, training_samples>;

/// Bytes of what its caller keeps for a run: the samples, and the row that it starts from; on a
/// device the samples there.
inline std::size_t given_bytes(run_settings const &s, model_outline const &model,
                               sample_outline data, bool on_device) {
  std::size_t const start = on_device ? 0 : s.start.size() * sizeof(double);
  return data.bytes(model.learns_from_samples ? model.sample.size() : 0, !on_device) + start;
}

/// Throws input_error unless the model learns from samples, or is its own data.
void require_samples(model_outline const &model, bool given);

/// Throws input_error unless the samples have the model's shape and no more classes.
void check_samples(model_outline const &model, dataset const &data);

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

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/samples.ipp>
#endif
