// Views over rows: a row begins a stride after the one before.
#include <gossip/core/view.hpp>

#include <array>
#include <cstddef>

#include "../catch.hpp"

using gossip::rows_view;

TEST_CASE("a row of a view is its columns without the padding", "[core]") {
  std::array<int, 8> numbers{0, 1, 2, -1, 4, 5, 6, -1};
  rows_view<int> const rows{numbers.data(), 2, 3, 4};
  CHECK(rows[1].size() == 3);
  CHECK(rows[1][0] == 4);
  CHECK(rows[1][2] == 6);
  rows[0][1] = 9;
  CHECK(numbers[1] == 9);
  rows_view<int const> const read_only = rows;
  CHECK(read_only[0][1] == 9);
}
