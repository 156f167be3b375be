// Numbers of columns and of nodes that a device takes at once.
#include <gossip/backend/serial.hpp>
#include <gossip/engine/device/cohort_memory.hpp>
#include <gossip/engine/device/matrix.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

#include "../catch.hpp"

using namespace gossip;

TEST_CASE("a tile of columns is whole cache lines within four million numbers", "[engine]") {
  for (std::size_t const rows : {0, 1, 2, 3, 17, 999, 1000, 100'000}) {
    CAPTURE(rows);
    CHECK(device_tile(rows) % 32 == 0);
    CHECK(device_tile(rows) * rows <= std::size_t{1} << 22);
  }
  CHECK(device_tile(1000) == 4192);
  CHECK(device_tile(1'000'000) == 32);  // of more rows a line
}

TEST_CASE("a cohort has no more nodes than a grid of a GPU counts", "[engine]") {
  using tiny = sequential<input<1, 1, 1>, dense<1>>;
  cohort_memory const memory = cohort_memory_of<tiny, float, serial::worker>(1);
  REQUIRE((std::size_t{4} << 30) / memory.each > 65'535);  // or memory is the limit
  CHECK(memory.most(1'000'000) == 65'535);
  CHECK(memory.most(65'536) == 65'535);
  CHECK(memory.most(17) == 17);
  CHECK(memory.most(1) == 1);
}
