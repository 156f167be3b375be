// X <- W X on a GPU, to the last bit: by teams with 32, 16 or 8 columns of all rows, and in tiles.
#include <gossip/backend/cuda.hpp>
#include <gossip/core/random.hpp>
#include <gossip/engine/device/mixing.hpp>
#include <gossip/engine/device/typed_functions.hpp>
#include <gossip/engine/matrix_cache.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

/// Columns first to d of n rows of a slot by a function of the library's, three times: launched,
/// kept, repeated; on the GPU and as it is defined.
template <class F, class T, class Row = T>
void check_mixture(std::size_t n, std::size_t d, std::size_t first, std::uint8_t slot = 0) {
  CAPTURE(n, d, first, slot);
  graph const network =
      n > 8 ? random_regular{.nodes = n, .degree = 4}.build(1) : ring{.nodes = n}.build(1);
  auto const weights = cast_rows<T>(metropolis_hastings{}.weights(network));
  gossip::cuda const gpu;
  fleet<Row, device::buffer> const rows(fleet_size{n, d, 2, false});
  std::size_t const stride = rows.stride();
  std::vector<Row> before(n * stride), after(n * stride);
  keyed_random random(7, purpose::user, static_cast<std::uint32_t>(n), d);
  for (Row &x : before) x = as_element<Row>(static_cast<T>(random.uniform() - 0.5));
  auto const leased = rows.columns(changed_slots(fleet_size::every_slot), 0, d);
  Row *const there = leased.row(slot, 0);
  gpu.upload(there, before.data(), before.size());
  std::vector<row_write> writes;
  if constexpr (!std::is_same_v<T, Row>)
    for (std::size_t i = 0; i < n; ++i) writes.push_back({3, static_cast<node>(i), i + 1});

  column_limits limits;
  if (first > 0) limits = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(d)};
  operation const mix{0,
                      0,
                      {{slot, false, true, true}},
                      work::mix{.function = library_neighborhoods::number_of<F>, .limits = limits}};
  auto const functions = device_functions_of<T, Row, gossip::cuda>(sgd{}, false, d);
  device_mixing<T, Row, gossip::cuda> mixing(n);
  for (int time = 0; time < 3; ++time)
    mixing.run(gpu, *functions, weights, device_op::rows_of(leased), mix, d, writes);
  gpu.download(after.data(), there, after.size());

  for (int time = 0; time < 3; ++time) {
    std::vector<T> from;
    for (Row const x : before) from.push_back(static_cast<T>(x));
    for (std::size_t i = 0; i < n; ++i) {
      op::mixing_row<T> const own = weights.row(i);
      for (std::size_t c = first; c < d; ++c) {
        T const mixed =
            F{}(neighbor_column<T>{own.columns, own.values, own.entries, from.data() + c, stride});
        Row &to = before[i * stride + c];
        to = put_number(writes.empty() ? row_write{} : writes[i], slot, c, to, mixed);
      }
    }
  }
  CHECK(std::memcmp(after.data(), before.data(), before.size() * sizeof(Row)) == 0);
}

}  // namespace

TEST_CASE("mixtures on a GPU have the bits of their definition", "[gpu]") {
  for (std::size_t const n : {1, 3, 63, 64, 576, 577, 1152, 1153, 2304, 2305}) {
    check_mixture<op::weighted_sum, float>(n, 64, 0);
    check_mixture<op::weighted_sum, float>(n, 75, 8);
    check_mixture<op::weighted_sum, float>(n, 75, 3, 2);
    check_mixture<op::coordinate_median, float>(n, 43, 0, 1);
  }
  for (std::size_t const n : {64, 289, 577, 1153}) {
    check_mixture<op::weighted_sum, double>(n, 75, 4, 1);
    check_mixture<op::weighted_sum, float, bf16>(n, 75, 3, 1);
  }
}
