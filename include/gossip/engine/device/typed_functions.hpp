// Arithmetic of one optimizer and the functions of one list, compiled for a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/row_changes.hpp>
#include <gossip/engine/device/row_sums.hpp>
#include <gossip/engine/device/tiles.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/optimizer.hpp>

namespace gossip {

/// f(team, k) for every k below count, on the device: by teams where it has them.
template <class Backend, class F>
void launch_teams(Backend const &backend, std::size_t count, F f) {
  if constexpr (requires { backend.launch_teams(count, f); })
    backend.launch_teams(count, f);
  else
    backend.launch(count, op::by_one_thread<F>{f});
}

/// Kernel: of the optimizer. Functions: plan_functions, whose places are the numbers of operations.
template <class T, class Row, class Backend, class Kernel, class Functions>
class typed_device_functions final : public device_functions<T, Row, Backend> {
  using scale_type = typename Kernel::scale_type;
  using neighborhoods = typename Functions::neighborhoods;

 public:
  /// Behind `trainable` columns of a row are statistics.
  typed_device_functions(Kernel const &kernel, std::size_t trainable)
      : kernel_{kernel, trainable} {}

  std::size_t scale_bytes() const override { return sizeof(scale_type); }
  void write_scale(double rate, std::uint64_t number, std::byte *to) const override {
    scale_type const scale = kernel_.kernel.scale(rate, number);
    std::memcpy(to, &scale, sizeof scale);
  }

  void run(Backend const &backend, std::size_t columns,
           device_op::program<T, Row> const &program) const override {
    backend.launch(program.parts * columns,
                   device_op::run_program<T, Row, Kernel, Functions>{program, kernel_});
  }
  void absorb(Backend const &backend, std::size_t k, std::size_t columns,
              device_op::cohort_gradients<T, Row> const &gradients) const override {
    backend.launch(k * columns, device_op::absorb<T, Row, Kernel>{gradients, kernel_});
  }

  void sum_rows(Backend const &backend, std::size_t count,
                device_op::row_sums<Row> const &sums) const override {
    std::size_t const blocks = count * sums.blocks;
    backend.launch(blocks * device_op::tree::lanes, device_op::sum_lanes<T, Row, Functions>{sums});
    backend.launch(blocks, device_op::add_lanes<Row, Functions>{sums});
    backend.launch(count, device_op::add_blocks<Row, Functions>{sums});
  }
  void compute_scalars(Backend const &backend, std::size_t count,
                       device_op::scalar_program const &program) const override {
    backend.launch(count, device_op::compute_scalars<Functions>{program});
  }
  void change_rows(Backend const &backend, std::size_t count,
                   device_op::row_changes<T, Row> const &changes) const override {
    launch_teams(backend, count, device_op::change_rows<T, Row, Functions>{changes});
  }

  void mix(Backend const &backend, std::size_t rows,
           device_op::mix_tile<T, Row> const &tile) const override {
    backend.launch(rows * tile.width, device_op::mix_columns<T, Row, neighborhoods>{tile});
  }
  bool mix_by_teams(Backend const &backend, std::size_t rows,
                    device_op::mix_tile<T, Row> const &tile) const override {
    return by_teams<32>(backend, rows, tile) || by_teams<16>(backend, rows, tile) ||
           by_teams<8>(backend, rows, tile);
  }

 private:
  static constexpr std::size_t fewest_rows = 64;  // of which a team has enough to do

  /// By teams of `Wide` columns.
  template <std::size_t Wide>
  static bool by_teams(Backend const &backend, std::size_t rows,
                       device_op::mix_tile<T, Row> const &tile) {
    if constexpr (requires { Backend::team_bytes; }) {
      std::size_t const bytes = rows * Wide * sizeof(T);
      return rows >= fewest_rows && bytes <= Backend::team_bytes &&
             backend.launch_teams((tile.width + Wide - 1) / Wide, bytes,
                                  device_op::mix_by_teams<Wide, T, Row, neighborhoods>{tile, rows});
    } else {
      return false;
    }
  }

  device_op::column_kernel<T, Kernel> kernel_;
};

/// The arithmetic of an optimizer on rows that begin with `parameters` parameters, and the
/// functions of a list. waits: others may touch a model between its gradient and its step.
template <class T, class Row, class Backend, class Functions = library_plan_functions, class O>
std::shared_ptr<device_functions<T, Row, Backend> const> device_functions_of(
    O const &optimizer, bool waits, std::size_t parameters) {
  using base = device_functions<T, Row, Backend>;
  return with_kernel<T>(optimizer, waits, [&](auto kernel) -> std::shared_ptr<base const> {
    using typed = typed_device_functions<T, Row, Backend, decltype(kernel), Functions>;
    return std::make_shared<typed>(kernel, parameters);
  });
}

}  // namespace gossip
