// Indices below and beyond 32 bits, split alike.
#include <gossip/op/split_index.hpp>

#include "../catch.hpp"

TEST_CASE("an index is split as by division, however large", "[op]") {
  std::size_t const edge = std::size_t{1} << 32;
  for (std::size_t const index : {std::size_t{0}, std::size_t{63}, edge - 1, edge, 7 * edge + 5})
    for (std::size_t const n : {std::size_t{1}, std::size_t{64}, edge - 1, edge, edge + 3}) {
      auto const [quotient, remainder] = gossip::op::split_index(index, n);
      CHECK(quotient == index / n);
      CHECK(remainder == index % n);
    }
}
