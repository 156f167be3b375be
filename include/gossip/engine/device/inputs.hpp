// Types and parts of the engines of devices.
#pragma once

#include <gossip/data/device_source.hpp>
#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/model.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/fleet/fleet.hpp>

namespace gossip {

/// The types that an engine on a device is compiled for. Number: of arithmetic. Storage: of an
/// element of a row.
template <class Number, class Storage, class Backend>
struct engine_types {
  using number = Number;
  using storage = Storage;
  using backend = Backend;
  using fleet_type = fleet<Storage, Backend::template buffer>;
  static constexpr bool on_device = Backend::on_device;
};

/// The parts of an engine on a device; model, rows and functions outlive it.
template <class Types>
struct engine_inputs : engine_numbers {
  using functions_type =
      device_functions<typename Types::number, typename Types::storage, typename Types::backend>;
  typename Types::backend backend;
  device_model<typename Types::number, typename Types::backend> const &model;
  typename Types::fleet_type const &rows;
  functions_type const &functions;
  device_training_samples<typename Types::backend> samples;
};

}  // namespace gossip
