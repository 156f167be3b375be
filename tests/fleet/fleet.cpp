// Rows of all nodes: sizes known beforehand, one place for every row.
#include <gossip/fleet/fleet.hpp>

#include <gossip/backend/cpu/memory.hpp>

#include <set>

#include "../catch.hpp"

using gossip::fleet_size;
using gossip::node;
using host_fleet = gossip::fleet<float, gossip::host_buffer>;

TEST_CASE("a row takes whole cache lines, and never whole pages", "[fleet]") {
  auto const stride = [](std::size_t d) { return fleet_size{1, d, 0, false}.stride<float>(); };
  CHECK(stride(1) == 16);
  CHECK(stride(16) == 16);
  CHECK(stride(17) == 32);
  CHECK(stride(1024) == 1040);  // 4 KiB would put all rows' columns on one set of a cache
  CHECK(stride(431'080) == 431'088);
  CHECK(fleet_size{1, 9, 0, false}.stride<double>() == 16);
}

TEST_CASE("a fleet announces what it takes", "[fleet]") {
  CHECK(fleet_size{3, 17, 1, false}.bytes<float>() == 2 * 3 * 32 * 4);
  CHECK(fleet_size{3, 17, 1, true}.bytes<float>() == 2 * 1 * 32 * 4);
  CHECK(fleet_size{3, 17, 0, false}.bytes<double>() == 3 * 24 * 8);
}

TEST_CASE("every slot of every node is a row of its own, zero at first", "[fleet]") {
  for (std::size_t const n : {1, 2, 3, 17}) {
    host_fleet const rows({n, 5, 2, false});
    std::set<float *> begins;
    for (std::size_t s = 0; s < 3; ++s)
      for (node i = 0; i < n; ++i) {
        float *const row = rows.row(s, i);
        begins.insert(row);
        CHECK(row == rows.slot(s)[i].data());
        for (float const x : rows.slot(s)[i]) CHECK(x == 0.0f);
        CHECK(reinterpret_cast<std::uintptr_t>(row) % 64 == 0);
      }
    CHECK(begins.size() == 3 * n);
    CHECK(rows.parameters(0) == rows.row(0, 0));
  }
}

TEST_CASE("a shared fleet has one row a slot for all nodes", "[fleet]") {
  host_fleet const rows({4, 5, 1, true});
  CHECK(rows.size().rows() == 1);
  CHECK(rows.parameters(3) == rows.parameters(0));
  CHECK(rows.row(1, 2) != rows.row(0, 2));
}
