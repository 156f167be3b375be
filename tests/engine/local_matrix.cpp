// Staging memory of a rank for rows that do not come whole: announced and taken.
#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"

using gossip::halo_staging;
using gossip::lane_group;

TEST_CASE("tiles and slices take what is announced for them, and no more than they may",
          "[engine]") {
  for (std::size_t const most : {1, 7, 128, 1000})
    for (std::size_t const ranks : {2, 5, 64})
      for (std::size_t const d : {16, 650, 7850, 431080})
        for (std::size_t const halo : {std::size_t{1}, most, 2 * most, 2 * most + 1, 9 * most}) {
          CAPTURE(most, ranks, d, halo);
          std::size_t const announced = halo_staging::of(most).numbers(most, halo, d, ranks);
          std::size_t const quarter = halo_staging::of(most).rows * d;
          if (halo_staging::is_transposed(most, halo)) {
            std::size_t const slice = halo_staging::of(most).slice(most, d, ranks),
                              nodes = most * ranks;
            CHECK(slice % lane_group == 0);
            CHECK(announced == most * slice * ranks + nodes * slice);  // own rows, then columns
            CHECK(announced <= std::max(quarter, 2 * nodes * lane_group));
          } else {
            std::size_t const width = halo_staging::of(most).width(most, halo, d);
            CHECK(width % lane_group == 0);
            CHECK(announced == 2 * (halo + most) * width);  // one is mixed, one is under way
            CHECK(announced <= std::max(quarter, 2 * (halo + most) * halo_staging::least_columns));
            CHECK(width <= halo_staging::most_columns);
          }
        }
  CHECK(halo_staging::of(10).numbers(10, 0, 1000, 2) == 0);
}

TEST_CASE("a rank receives every row of others that its nodes listen to, once", "[engine]") {
  // Two nodes a rank: the centre of a star is heard everywhere, its leaves on its rank alone.
  gossip::metropolis_hastings const weights{};
  std::vector<std::uint32_t> const owners{0, 0, 1, 1, 2, 2};
  gossip::rank_layout const layout(owners, 3, 0);
  using sizes = std::vector<std::size_t>;
  CHECK(halo_sizes(weights.weights(gossip::ring{6}.build()), layout) == sizes{2, 2, 2});
  auto const star = weights.weights(gossip::star{6}.build());
  CHECK(halo_sizes(star, layout) == sizes{4, 1, 1});
  for (std::size_t rank = 0; rank < 3; ++rank)
    CHECK(halo_of(star, gossip::rank_layout(owners, 3, rank)).incoming.size() ==
          halo_sizes(star, layout)[rank]);
}
