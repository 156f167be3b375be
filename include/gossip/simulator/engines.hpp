// Choice of the engine that runs a plan, by the options of a simulator.
#pragma once

#include <cstddef>
#include <type_traits>

#include <gossip/core/error.hpp>
#include <gossip/engine/device/engine.hpp>
#include <gossip/engine/device/inputs.hpp>
#include <gossip/engine/device/typed_functions.hpp>
#include <gossip/engine/distributed/device_executor.hpp>
#include <gossip/engine/distributed/engine.hpp>
#include <gossip/engine/distributed/host_executor.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/host/levelled.hpp>
#include <gossip/engine/host/reference.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// Throws input_error where a simulator cannot execute by the reference engine.
template <class Chosen>
void require_reference() {
  if constexpr (Chosen::transport::spans_ranks)
    throw input_error(
        "engine: expected levelled, since there are several ranks, got reference, which needs "
        "the rows of all nodes in one process; run it in one process, whose results are "
        "identical");
  if constexpr (Chosen::backend::on_device)
    throw input_error("engine: expected levelled on a device, got reference, which runs on hosts");
  if constexpr (!Chosen::offers_reference)
    throw input_error(
        "engine: expected levelled, or a simulator with the option gossip::with_reference{}, got "
        "reference");
}

/// An engine's type as a value.
template <engine Engine>
constexpr std::type_identity<Engine> chosen_engine() {
  return {};
}

/// f(std::type_identity of the engine, the optimizer's arithmetic for it). Chosen: the options;
/// Functions, the functions that a plan may name, are compiled into engines on devices; waits:
/// others may touch a model between its gradient and its step; parameters: of the model.
template <class Chosen, class Functions, class Optimizer, class F>
auto with_engine(Optimizer const &optimizer, bool waits, std::size_t parameters, execution how,
                 F f) {
  using T = typename Chosen::number;
  using row = typename Chosen::row;
  using backend = typename Chosen::backend;
  using transport = typename Chosen::transport;
  if (how == execution::reference) require_reference<Chosen>();
  if constexpr (backend::on_device) {
    using types = engine_types<T, std::conditional_t<transport::spans_ranks, T, row>, backend>;
    auto const functions = device_functions_of<T, typename types::storage, backend, Functions>(
        optimizer, waits, parameters);
    if constexpr (transport::spans_ranks)
      return f(chosen_engine<distributed_engine<device_executor<types, transport>>>(), functions);
    else
      return f(chosen_engine<device_engine<types>>(), functions);
  } else {
    auto const kernel = arithmetic<T>(optimizer, waits, parameters);
    if constexpr (transport::spans_ranks) {
      return f(chosen_engine<distributed_engine<host_executor<T, row, transport>>>(), kernel);
    } else {
      if constexpr (Chosen::offers_reference)
        if (how == execution::reference)
          return f(chosen_engine<reference_engine<T, row>>(), kernel);
      return f(chosen_engine<levelled_engine<T, row>>(), kernel);
    }
  }
}

}  // namespace gossip::detail
