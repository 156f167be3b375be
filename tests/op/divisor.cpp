#include <gossip/op/split_index.hpp>

#include <cstddef>
#include <cstdint>

#include "../catch.hpp"

using namespace gossip;

namespace {

void check_split(std::size_t index, std::size_t by) {
  auto const [quotient, remainder] = op::divisor(by).split(index);
  auto const [exact, rest] = op::split_index(index, by);
  CAPTURE(index, by);
  CHECK(quotient == index / by);
  CHECK(remainder == index % by);
  CHECK(exact == index / by);
  CHECK(rest == index % by);
}

}  // namespace

TEST_CASE("an index is split by a product as by a division", "[op]") {
  std::size_t const top = std::size_t{1} << 32;
  for (std::size_t const by : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7},
                               std::size_t{64}, std::size_t{641}, std::size_t{431'080}, top / 2 - 1,
                               top / 2, top / 2 + 1, top - 1, top, top + 1, top * 3})
    for (std::size_t const near :
         {std::size_t{0}, by, 2 * by, by * by, top / by * by, top - 1, top})
      for (std::size_t const apart : {0, 1, 2}) {
        check_split(near + apart, by);
        if (near >= apart) check_split(near - apart, by);
      }
}
