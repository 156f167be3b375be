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

  /// Bytes of the scale of a step: what its columns share.
  virtual std::size_t scale_bytes() const = 0;
  /// Writes the scale of a step of this rate, which has this number from 1, to scale_bytes().
  virtual void write_scale(double rate, std::uint64_t number, std::byte *to) const = 0;

  /// Columns of every part of a program.
  virtual void run(Backend const &backend, std::size_t columns,
                   device_op::program<T, Row> const &program) const = 0;
  /// Gradients of k nodes.
  virtual void absorb(Backend const &backend, std::size_t k, std::size_t columns,
                      device_op::cohort_gradients<T, Row> const &gradients) const = 0;
  /// Scalars of `count` operations, of rows and of scalars.
  virtual void sum_rows(Backend const &backend, std::size_t count,
                        device_op::row_sums<Row> const &sums) const = 0;
  virtual void compute_scalars(Backend const &backend, std::size_t count,
                               device_op::scalar_program const &program) const = 0;
  /// `count` operations on whole rows.
  virtual void change_rows(Backend const &backend, std::size_t count,
                           device_op::row_changes<T, Row> const &changes) const = 0;
  /// A tile of so many rows.
  virtual void mix(Backend const &backend, std::size_t rows,
                   device_op::mix_tile<T, Row> const &tile) const = 0;
  /// All columns of so many rows without scratch; false where the backend has no teams, or the rows
  /// are few, or too many for their memory.
  virtual bool mix_by_teams(Backend const &backend, std::size_t rows,
                            device_op::mix_tile<T, Row> const &tile) const = 0;
};

}  // namespace gossip
