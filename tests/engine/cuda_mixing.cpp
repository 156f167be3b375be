// X <- W X on a GPU, to the last bit: by teams with 32, 16 or 8 columns of all rows, and in tiles.
#include <gossip/backend/cuda.hpp>
#include <gossip/core/random.hpp>
#include <gossip/engine/device/mixing.hpp>
#include <gossip/engine/matrix_cache.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

/// Columns first to d of n rows by a function of the library's, on the GPU and as it is defined.
template <class F>
void check_mixture(std::size_t n, std::size_t d, std::size_t first) {
  CAPTURE(n, d, first);
  graph const network =
      n > 8 ? random_regular{.nodes = n, .degree = 4}.build(1) : ring{.nodes = n}.build(1);
  auto const weights = cast_rows<float>(metropolis_hastings{}.weights(network));
  gossip::cuda const gpu;
  fleet<float, device::buffer> const rows(fleet_size{n, d, 0, false});
  std::size_t const stride = rows.stride();
  std::vector<float> before(n * stride), after(n * stride);
  keyed_random random(7, purpose::user, static_cast<std::uint32_t>(n), d);
  for (float &x : before) x = static_cast<float>(random.uniform() - 0.5);
  gpu.upload(rows.slot(0).data, before.data(), before.size());

  operation mix{};
  mix.kind = operation_kind::mix;
  mix.code = library_neighborhoods::number_of<F>;
  mix.rows = {{0, false, true, true}};
  if (first > 0) {
    mix.flags = operation::of_fragment;
    mix.coefficient = std::bit_cast<double>(
        column_limits{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(d)});
  }
  device_mixing<float, float, gossip::cuda> mixing(n);
  for (int time = 0; time < 3; ++time)  // launched, kept, repeated
    mixing.run(gpu, weights, device_op::rows_of(rows), mix, d, {});
  gpu.download(after.data(), rows.slot(0).data, after.size());

  for (int time = 0; time < 3; ++time) {
    std::vector<float> const from = before;
    for (std::size_t i = 0; i < n; ++i) {
      op::mixing_row<float> const own = weights.row(i);
      for (std::size_t c = first; c < d; ++c)
        before[i * stride + c] = F{}(
            neighbor_column<float>{own.columns, own.values, own.entries, from.data() + c, stride});
    }
  }
  CHECK((after == before));
}

}  // namespace

TEST_CASE("mixtures on a GPU have the bits of their definition", "[gpu]") {
  for (std::size_t const n : {1, 3, 40, 576, 577, 1152, 1153, 2304, 2305}) {
    check_mixture<op::weighted_sum>(n, 64, 0);
    check_mixture<op::weighted_sum>(n, 75, 8);
    check_mixture<op::weighted_sum>(n, 75, 3);
    check_mixture<op::coordinate_median>(n, 43, 0);
  }
}
