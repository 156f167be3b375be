// The functions that a program chooses, as a device runs them: arithmetic of an optimizer and
// functions of a plan behind virtual functions, so that engines are compiled once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/row_changes.hpp>
#include <gossip/engine/device/row_sums.hpp>
#include <gossip/engine/device/tiles.hpp>

namespace gossip {

/// Launches on a device; none waits. T: numbers of arithmetic; Row: elements of rows in memory.
template <class T, class Row, class Backend>
class device_functions {
 public:
  virtual ~device_functions() = default;

  /// Size in bytes of a step's scale: the numbers that all columns of the step share.
  virtual std::size_t scale_bytes() const = 0;
  /// Writes the scale of a step with this rate to `to` (scale_bytes()). number: of the step,
  /// from 1.
  virtual void write_scale(double rate, std::uint64_t number, std::byte *to) const = 0;

  /// Executes a program on columns 0 to `columns` of the rows that its operations name.
  virtual void run(Backend const &backend, std::size_t columns,
                   device_op::program<T, Row> const &program) const = 0;
  /// Lets the optimizer absorb gradients (k, columns), and step where the training says so.
  virtual void absorb(Backend const &backend, std::size_t k, std::size_t columns,
                      device_op::cohort_gradients<T, Row> const &gradients) const = 0;
  /// Computes the scalars of `count` operations that reduce rows.
  virtual void sum_rows(Backend const &backend, std::size_t count,
                        device_op::row_sums<Row> const &sums) const = 0;
  /// Computes the scalars of `count` operations on scalars.
  virtual void compute_scalars(Backend const &backend, std::size_t count,
                               device_op::scalar_program const &program) const = 0;
  /// Executes `count` operations on whole rows.
  virtual void change_rows(Backend const &backend, std::size_t count,
                           device_op::row_changes<T, Row> const &changes) const = 0;
  /// Mixes a tile (rows, tile.width).
  virtual void mix(Backend const &backend, std::size_t rows,
                   device_op::mix_tile<T, Row> const &tile) const = 0;
  /// Mixes all columns of a tile (rows, tile.width) without scratch. Returns false, and launches
  /// nothing, where the backend has no teams of threads, or the rows are too few for a team or too
  /// many for its memory.
  virtual bool mix_by_teams(Backend const &backend, std::size_t rows,
                            device_op::mix_tile<T, Row> const &tile) const = 0;
};

}  // namespace gossip
