// Models whose gradients are computed on a device while their rows lie in memory of the host, or on
// a disk: networks that are larger than the device's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <gossip/backend/backend.hpp>
#include <gossip/backend/cpu.hpp>
#include <gossip/engine/device/offloaded_model.hpp>
#include <gossip/engine/device/typed_model.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/requirements.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip {

/// The model for a simulator on the host, whose threads have a stream of the device each. Device:
/// its backend, gossip::cuda. device_memory: bytes of the device for samples, test sets, libraries,
/// and the nodes in work, of which there are as many as fit. T, Host: numbers and backend of the
/// simulator. Throws input_error where a member of the model or of the precision cannot be; a run
/// throws it where device_memory is too small.
template <class T = float, class Host = cpu, device_backend Device, class Model,
          class Precision = full_precision>
basic_any_model<T, Host> cpu_offload(Model model, Device device,
                                     std::size_t device_memory = std::size_t{4} << 30,
                                     Precision precision = {}) {
  static_assert(model_requirements<Model, T, Precision>::hold);
  static_assert(Model::learns_from_samples,
                "gossip::cpu_offload: the model must learn from samples. See "
                "docs/policies/model.md");
  precision.check();
  if constexpr (requires { model.check(); }) model.check();
  fact_list facts{{"kind of the model", std::string("on a device, ") + Device::name}};
  detail::add_facts(facts, "the model", model);
  detail::add_facts(facts, "the precision", precision);
  if constexpr (requires { device.multiply; })
    detail::add_facts(facts, "products on the device", device.multiply);
  auto there = std::make_shared<typed_device_model<Model, T, Device, Precision, Host> const>(
      std::move(model), std::move(precision));
  return basic_any_model<T, Host>(std::make_shared<offloaded_model<T, Device>>(
                                      std::move(there), std::move(device), device_memory),
                                  std::move(facts));
}

}  // namespace gossip
