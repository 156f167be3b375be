// Rows of all nodes: sizes known beforehand, one place for every row.
#include <gossip/fleet/fleet.hpp>

#include <gossip/backend/cpu/memory.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

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
    for (node i = 0; i < n; ++i) {
      auto const own = rows.whole(gossip::changed_slots(0b111), i);
      for (std::size_t s = 0; s < 3; ++s) {
        float *const row = own.row(s, i);
        begins.insert(row);
        for (float const x : std::span(row, 5)) CHECK(x == 0.0f);
        CHECK(reinterpret_cast<std::uintptr_t>(row) % 64 == 0);
      }
    }
    CHECK(begins.size() == 3 * n);
    CHECK(rows.parameters(0) == rows.whole(gossip::used_slots{1}, 0).row(0, 0));
  }
}

TEST_CASE("a shared fleet has one row a slot for all nodes", "[fleet]") {
  host_fleet const rows({4, 5, 1, true});
  CHECK(rows.size().rows() == 1);
  CHECK(rows.parameters(3) == rows.parameters(0));
  auto const own = rows.whole(gossip::changed_slots(0b11), 0);
  CHECK(own.row(1, 2) == own.row(1, 0));
  CHECK(own.row(1, 2) != own.row(0, 2));
}

TEST_CASE("columns of all rows are the same numbers as whole rows", "[fleet]") {
  host_fleet const rows({3, 5, 1, false}, {2, 0, 1});
  for (node i = 0; i < 3; ++i)
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t c = 0; c < 5; ++c)
        rows.whole(gossip::changed_slots(0b11), i).row(s, i)[c] =
            static_cast<float>(100 * s + 10 * i + c);
  auto const some = rows.columns(gossip::used_slots{0b11}, 2, 5);
  for (node i = 0; i < 3; ++i) {
    CHECK(*some.row(0, i, 2) == 10 * static_cast<float>(i) + 2);
    CHECK(*some.row(1, i, 4) == 10 * static_cast<float>(i) + 104);
  }
  auto const nodes = some.nodes(1, 3, 5);  // in the order of their places
  CHECK(nodes.rows == 3);
  CHECK(nodes.columns == 2);
  CHECK(nodes[0][0] == 113);
  CHECK(nodes[2][1] == 104);
}

TEST_CASE("parts of which none could be leased are refused", "[fleet]") {
  auto const with = [](gossip::lease_parts const &parts) {
    host_fleet({2, 5, 0, false}, {}, parts);
  };
  CHECK_THROWS_WITH(with({.owners = 0}), "fleet: owners of a lease must be at least 1, got 0");
  CHECK_THROWS_WITH(with({.columns = 2047}),
                    "fleet: columns of a lease: expected a multiple of 2048, got 2047");
  CHECK_NOTHROW(with({.owners = 1, .columns = 4096}));
}

TEST_CASE("all columns come in parts that end at multiples", "[fleet]") {
  using part = std::pair<std::size_t, std::size_t>;
  auto const parts = [](std::size_t most, std::size_t first, std::size_t last) {
    host_fleet const rows({2, 9000, 0, false}, std::vector<std::uint32_t>{}, {.columns = most});
    std::vector<part> seen;
    gossip::each_part(
        rows, gossip::used_slots{1}, first, last,
        [&](auto const &, std::size_t begin, std::size_t end) { seen.emplace_back(begin, end); });
    return seen;
  };
  CHECK(parts(gossip::lease_parts::all, 0, 9000) == std::vector<part>{{0, 9000}});
  CHECK(parts(4096, 0, 9000) == std::vector<part>{{0, 4096}, {4096, 8192}, {8192, 9000}});
  CHECK(parts(4096, 100, 4097) == std::vector<part>{{100, 4096}, {4096, 4097}});
  CHECK(parts(4096, 7, 7).empty());
}
