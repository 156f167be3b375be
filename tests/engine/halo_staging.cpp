// What a rank announces for rows that do not come whole is what it takes.
#include <gossip/engine/rank_mixture.hpp>

#include <algorithm>
#include <cstddef>

#include "../catch.hpp"

using gossip::halo_staging;
using gossip::lane_group;

TEST_CASE("stretches and slices take what is announced for them, and no more than they may") {
  for (std::size_t const most : {1, 7, 128, 1000})
    for (std::size_t const ranks : {2, 5, 64})
      for (std::size_t const d : {16, 650, 7850, 431080})
        for (std::size_t const halo : {std::size_t{1}, most, 2 * most, 2 * most + 1, 9 * most}) {
          CAPTURE(most, ranks, d, halo);
          std::size_t const announced = halo_staging::numbers(most, halo, d, ranks);
          std::size_t const quarter = halo_staging::rows(most) * d;
          if (halo_staging::slices(most, halo)) {
            std::size_t const slice = halo_staging::slice(most, d, ranks), nodes = most * ranks;
            CHECK(slice % lane_group == 0);
            CHECK(announced == most * slice * ranks + nodes * slice);  // own rows, then columns
            CHECK(announced <= std::max(quarter, 2 * nodes * lane_group));
          } else {
            std::size_t const width = halo_staging::width(most, halo, d);
            CHECK(width % lane_group == 0);
            CHECK(announced == 2 * (halo + most) * width);  // one is mixed, one is under way
            CHECK(announced <= std::max(quarter, 2 * (halo + most) * halo_staging::least_columns));
            CHECK(width <= halo_staging::most_columns);
          }
        }
  CHECK(halo_staging::numbers(10, 0, 1000, 2) == 0);
}
