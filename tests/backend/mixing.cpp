// X <- W X with the host's registers, stripe by stripe, for few nodes and many, to the last bit.
#include <gossip/backend/cpu/mixing.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../catch.hpp"
#include "../op/mixing.hpp"

using gossip::test::matrix;
using gossip::test::random_weights;

namespace {

/// Rows beside the n that are mixed are read only, columns of other tiles are not touched.
template <class T>
void check_sizes() {
  for (std::size_t const n : {3, 40, 150, 600})
    for (std::size_t const beside : {0, 2})
      for (std::size_t const d : {31, 32, 64, 95, 96, 300}) {
        std::size_t const first = d > 100 ? 17 : 0, last = d > 100 ? d - 50 : d;
        auto const all = random_weights<T>(n + beside, d);
        gossip::op::mixing_rows<T> own = all;
        own.offsets.resize(n + 1);
        matrix<T> x(n + beside, d);
        auto expected = product(all, x, first, last);
        std::copy(x.numbers.begin() + static_cast<std::ptrdiff_t>(n * x.stride), x.numbers.end(),
                  expected.begin() + static_cast<std::ptrdiff_t>(n * x.stride));
        std::size_t const room = (n + beside) * gossip::host::columns_at_once;
        std::vector<T> scratch(room + 64, T{7});
        std::vector<T const *> halo;
        for (std::size_t k = 0; k < beside; ++k)
          halo.push_back(x.numbers.data() + (n + k) * x.stride + first);
        gossip::host::mix_tile<T>(own, {x.numbers.data(), n, d, x.stride}, first, last,
                                  scratch.data(), {halo, first});
        CAPTURE(n, beside, d);
        CHECK(x.numbers == expected);
        CHECK(std::count(scratch.end() - 64, scratch.end(), T{7}) == 64);
      }
}

}  // namespace

TEST_CASE("mixing in registers gives the bits of the sums in ascending order", "[backend]") {
  check_sizes<float>();
  check_sizes<double>();
}
