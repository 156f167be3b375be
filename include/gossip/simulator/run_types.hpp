// A run as a simulator begins it: by its types of numbers, rows and ranks, and by the type of its
// device; all backends of the host have one type here. No engine is named; simulator/runs.hpp has
// them.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/cpu/threads.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/compiled.hpp>
#include <gossip/core/error.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/prepared_plan.hpp>
#include <gossip/simulator/run_context.hpp>
#include <gossip/simulator/run_extent.hpp>
#include <gossip/simulator/run_model.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/training_run.hpp>
#include <gossip/transport/single_process.hpp>

namespace gossip {

template <class Row, class Backend>
class device_rows;
template <class T, class Row, class Backend>
class device_functions;

namespace detail {

/// The place of runs by any backend of the host.
struct on_host {
  static constexpr bool on_device = false;
};
/// The place of a run: on_host, or a backend with a device.
template <class Backend>
using place_of = std::conditional_t<Backend::on_device, Backend, on_host>;

/// Types that depend on the place of rows: memory of the host, or of a device. machine: the backend
/// of a run; host_rows: rows as observers see them, in memory of the host.
template <class T, class Row, class Place>
struct types_of_place {
  using machine = host_machine<T>;
  using fleet_type = fleet<Row, host_buffer>;
  using host_rows = fleet_type;
  using loops_type = host_machine<T>;
  using arithmetic = row_arithmetic<T>;
};
template <class T, class Row, class Backend>
  requires(Backend::on_device)
struct types_of_place<T, Row, Backend> {
  using machine = Backend;
  using fleet_type = fleet<Row, Backend::template buffer>;
  using host_rows = device_rows<Row, Backend>;
  using loops_type = host_threads;
  using arithmetic = std::shared_ptr<device_functions<T, Row, Backend> const>;
};

/// Observers of one rank see the rows of all.
template <class Row, class Rows, class Transport>
struct rows_over {
  using type = Rows;
};
template <class Row, class Rows, class Transport>
  requires(Transport::spans_ranks)
struct rows_over<Row, Rows, Transport> {
  using type = ranked_rows<Row, Rows, Transport>;
};

/// True for runs that gossip::compiled has.
template <class Backend, class Transport>
inline constexpr bool in_library =
#ifdef GOSSIP_COMPILED
    !Backend::on_device && std::is_same_v<Transport, single_process>;
#else
    false;
#endif

/// Types that a run is compiled for. T: numbers of arithmetic; Row: elements of rows; Place: see
/// place_of; Reference: the reference engine is compiled too.
template <class T, class Row, class Place, class Transport, bool Reference>
struct run_types : types_of_place<T, Row, Place> {
  using number = T;
  using row_type = Row;
  using place = Place;
  using transport_type = Transport;
  using model_type = run_model<T, engine_model_of<T, Place>>;
  using rows_type = typename rows_over<Row, typename run_types::host_rows, Transport>::type;
  using context_type =
      observation_context<T, rows_type, typename run_types::loops_type, model_type>;
  using source_type = source_of<Place>;
  static constexpr bool has_reference = Reference;
};

/// Parts of a run. kept: policies and observers, to which the other parts refer; machine: has the
/// number of threads that the backend has when the run begins.
template <class Types>
struct run_parts {
  std::shared_ptr<void const> kept;
  typename Types::model_type const &model;
  typename Types::machine machine;
  typename Types::transport_type const &transport;
  held_exchange exchange;
  run_context<typename Types::source_type> run;
  prepared_plan plan;
  typename Types::arithmetic arithmetic;
  run_observers<typename Types::context_type> observers;
  compilation program;  ///< of the file that begins the run
};

template <class Types>
using run_pointer = std::unique_ptr<run_machine<typename Types::rows_type>>;

/// Complete where simulator/runs.hpp is included.
template <class Types>
struct runs_are_here;

/// Runs of these types, by the engine that an execution names. Defined in simulator/runs.hpp.
template <class Types>
struct runs {
  static run_pointer<Types> begin(run_parts<Types> parts, execution how);

  /// Memory that a run needs in this process; where ranks share the nodes, with the tasks of a
  /// part.
  static memory_need need(run_extent const &run, typename Types::model_type const &model,
                          typename Types::machine const &machine, execution how);
};

/// The arithmetic of an optimizer; on a device also the functions of plans. waits: others may touch
/// a model between its gradient and its step; parameters: of the model.
template <class Types, class Functions, class Optimizer>
typename Types::arithmetic device_arithmetic(Optimizer const &optimizer, bool waits,
                                             std::size_t parameters);
template <class Types, class Functions, class Optimizer>
typename Types::arithmetic arithmetic_of(Optimizer const &optimizer, bool waits,
                                         std::size_t parameters) {
  if constexpr (Types::place::on_device)
    return device_arithmetic<Types, Functions>(optimizer, waits, parameters);
  else
    return arithmetic<typename Types::number>(optimizer, waits, parameters);
}

}  // namespace detail

}  // namespace gossip
