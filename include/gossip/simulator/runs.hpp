// Runs by the engines that there are: what simulator/run_types.hpp declares. gossip::compiled has
// the runs of hosts in one process; a program that links it and has ranks or a device includes this
// file.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <gossip/engine/device/engine.hpp>
#include <gossip/engine/device/inputs.hpp>
#include <gossip/engine/device/rows.hpp>
#include <gossip/engine/device/typed_functions.hpp>
#include <gossip/engine/distributed/device_executor.hpp>
#include <gossip/engine/distributed/engine.hpp>
#include <gossip/engine/distributed/host_executor.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/host/levelled.hpp>
#include <gossip/engine/host/reference.hpp>
#include <gossip/simulator/assembly_members.hpp>
#include <gossip/simulator/engine_needs.hpp>
#include <gossip/simulator/engine_run.hpp>
#include <gossip/simulator/run_types.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// An engine's type as a value.
template <engine Engine>
constexpr std::type_identity<Engine> chosen_engine() {
  return {};
}

/// f(std::type_identity of the engine of a run that executes so).
template <class Types, class F>
auto with_engine(execution how, F f) {
  using T = typename Types::number;
  using Row = typename Types::row_type;
  using Place = typename Types::place;
  using Transport = typename Types::transport_type;
  if constexpr (Place::on_device) {
    using types = engine_types<T, Row, Place>;
    if constexpr (Transport::spans_ranks)
      return f(chosen_engine<distributed_engine<device_executor<types, Transport>>>());
    else
      return f(chosen_engine<device_engine<types>>());
  } else if constexpr (Transport::spans_ranks) {
    return f(chosen_engine<distributed_engine<host_executor<T, Row, Transport>>>());
  } else {
    if constexpr (Types::has_reference)
      if (how == execution::reference) return f(chosen_engine<reference_engine<T, Row>>());
    return f(chosen_engine<levelled_engine<T, Row>>());
  }
}

template <class Types>
struct runs_are_here {};

template <class Types>
run_pointer<Types> runs<Types>::begin(run_parts<Types> parts, execution how) {
  return with_engine<Types>(how,
                            [&]<class Engine>(std::type_identity<Engine>) -> run_pointer<Types> {
                              return std::make_unique<engine_run<Engine, Types>>(std::move(parts));
                            });
}

template <class Types>
memory_need runs<Types>::need(run_extent const &run, typename Types::model_type const &model,
                              typename Types::machine const &machine, execution how) {
  return with_engine<Types>(how, [&]<class Engine>(std::type_identity<Engine>) {
    return need_of_engine<typename Types::number, typename Types::row_type, Engine>(run, model,
                                                                                    machine);
  });
}

template <class Types, class Functions, class Optimizer>
typename Types::arithmetic device_arithmetic(Optimizer const &optimizer, bool waits,
                                             std::size_t parameters) {
  return device_functions_of<typename Types::number, typename Types::row_type,
                             typename Types::place, Functions>(optimizer, waits, parameters);
}

}  // namespace gossip::detail
