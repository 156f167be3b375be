// X <- W X in place against the product written out, to the last bit.
#include <gossip/op/mix.hpp>

#include <cstddef>
#include <vector>

#include "../catch.hpp"
#include "mixing.hpp"

namespace op = gossip::op;

using gossip::test::matrix;
using gossip::test::random_weights;

namespace {

template <class T>
void mix(op::mixing_rows<T> const &w, matrix<T> &x, std::size_t first, std::size_t last) {
  std::size_t const lines = (last - first + gossip::lane_group - 1) / gossip::lane_group;
  std::vector<T> scratch(x.n * lines * gossip::lane_group);
  op::mix_tile(w, x.rows(), first, last, scratch.data());
}

template <class T>
void check_sizes() {
  for (std::size_t const n : {1, 2, 3, 17})
    for (std::size_t const d : {1, 15, 16, 64, 100, 193}) {
      auto const w = random_weights<T>(n, d);
      matrix<T> x(n, d);
      auto const expected = product(w, x, 0, d);
      mix(w, x, 0, d);
      CAPTURE(n, d);
      CHECK(x.numbers == expected);
    }
}

}  // namespace

TEST_CASE("two nodes average in place", "[op]") {
  op::mixing_rows<double> const w{{0, 2, 4}, {0, 1, 0, 1}, {0.5, 0.5, 0.25, 0.75}};
  std::vector<double> x{1, 2, 3, 5, 6, 7};
  std::vector<double> scratch(2 * gossip::lane_group);
  op::mix_tile(w, gossip::rows_view<double>{x.data(), 2, 3, 3}, 0, 3, scratch.data());
  CHECK(x == std::vector<double>{3, 4, 5, 4, 5, 6});
}

TEST_CASE("mixing gives the bits of the sums in ascending order", "[op]") {
  check_sizes<float>();
  check_sizes<double>();
}

TEST_CASE("mixing touches the columns of its tile alone", "[op]") {
  auto const w = random_weights<float>(5, 1);
  matrix<float> x(5, 200);
  auto const expected = product(w, x, 37, 170);
  mix(w, x, 37, 170);
  CHECK(x.numbers == expected);
}

TEST_CASE("mixing does not depend on where tiles are cut", "[op]") {
  auto const w = random_weights<float>(17, 2);
  matrix<float> whole(17, 300), cut = whole;
  mix(w, whole, 0, 300);
  std::vector<std::size_t> const cuts{0, 1, 33, 64, 150, 299, 300};
  for (std::size_t p = 0; p + 1 < cuts.size(); ++p) mix(w, cut, cuts[p], cuts[p + 1]);
  CHECK(whole.numbers == cut.numbers);
}

TEST_CASE("an entry alone multiplies", "[op]") {
  op::mixing_rows<float> const w{{0, 1, 2}, {1, 0}, {1.0F, 1.0F}};  // two nodes change places
  matrix<float> x(2, 70), before = x;
  mix(w, x, 0, 70);
  for (std::size_t c = 0; c < 70; ++c) {
    CHECK(x.rows()[0][c] == before.rows()[1][c]);
    CHECK(x.rows()[1][c] == before.rows()[0][c]);
  }
}
