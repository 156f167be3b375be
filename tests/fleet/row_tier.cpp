// Rows in a store: what is read, kept and written, and what is refused.
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/error.hpp>
#include <gossip/fleet/file_store.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/row_tier.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/fleet/used_slots.hpp>

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "stores.hpp"

using namespace gossip;
using gossip::test::awkward_store;
using gossip::test::behaviour;
using gossip::test::scratch_folder;

namespace {

using tier_type = row_tier<float, host_buffer>;

/// Nine nodes with two slots, and three payloads, in rows of three blocks.
fleet_size const size_of_rows = [] {
  fleet_size size{9, 5003, 1, false};
  size.payloads = 3;
  return size;
}();

std::unique_ptr<tier_type> tier_with(tier_shape const &shape, behaviour const &how = {}) {
  return std::make_unique<tier_type>(
      size_of_rows, shape,
      std::make_unique<awkward_store>(tier_shape::stored_bytes<float>(size_of_rows), how));
}

float number(std::size_t slot, node i, std::size_t column) {
  return static_cast<float>(column + 10'000 * slot + 100'000 * i);
}

std::size_t slots_of(node i) {
  return i < size_of_rows.nodes ? 2 : 1;
}

/// Writes all numbers owner by owner.
void fill(row_home<float> &home) {
  for (node i = 0; i < size_of_rows.owners(); ++i) {
    std::array const uses{owner_use{i, {0, slots_of(i) == 2 ? 0b11U : 0b1U}}};
    auto const own = home.whole(uses);
    for (std::size_t s = 0; s < slots_of(i); ++s)
      for (std::size_t c = 0; c < size_of_rows.parameters; ++c) own.row(s, i)[c] = number(s, i, c);
  }
}

std::size_t wrong_rows(row_home<float> &home, float more = 0) {
  std::size_t wrong = 0;
  for (node i = 0; i < size_of_rows.owners(); ++i) {
    std::array const uses{owner_use{i, {slots_of(i) == 2 ? 0b11U : 0b1U}}};
    auto const own = home.whole(uses);
    for (std::size_t s = 0; s < slots_of(i); ++s)
      for (std::size_t c = 0; c < size_of_rows.parameters; ++c)
        wrong += own.row(s, i)[c] != number(s, i, c) + (s == 0 ? more : 0);
  }
  return wrong;
}

}  // namespace

TEST_CASE("rows that were written are read again, as whole rows and as columns", "[fleet]") {
  for (bool const by_owner : {false, true})
    for (bool const at_once : {false, true}) {
      CAPTURE(by_owner, at_once);
      auto const tier = tier_with({6, 2, 2048, by_owner}, {.at_once = at_once});
      fill(*tier);
      CHECK(wrong_rows(*tier) == 0);
      std::size_t wrong = 0;
      for (std::size_t first = 0; first < 5003; first += 2048) {
        std::size_t const last = std::min<std::size_t>(first + 2048, 5003);
        auto const here = tier->columns(changed_slots(1), first, last);
        tier->expect_columns(changed_slots(1), last);
        for (node i = 0; i < size_of_rows.owners(); ++i)
          for (std::size_t c = first; c < last; ++c) {
            wrong += *here.row(0, i, c) != number(0, i, c);
            *here.row(0, i, c) += 1;
          }
      }
      CHECK(wrong == 0);
      CHECK(wrong_rows(*tier, 1) == 0);
    }
}

TEST_CASE("rows are zero at first, and NaN when they have left memory of a test", "[fleet]") {
  auto const tier = tier_with({6, 2, 2048, false}, {.at_once = true});
  std::array const read{owner_use{4, {0b11}}};
  float const *row = nullptr;
  {
    auto const own = tier->whole(read);
    row = own.row(1, 4);
    for (float const x : std::span(row, 5003)) REQUIRE(x == 0);
  }
  CHECK(std::isnan(row[17]));
}

TEST_CASE("a row that memory still has is not read again", "[fleet]") {
  std::string const folder = scratch_folder();
  if (folder.empty()) {
    WARN("skipped: no folder on a disk");
    return;
  }
  std::uint64_t const bytes = tier_shape::stored_bytes<float>(size_of_rows);
  std::uint64_t const row = tier_shape::row_numbers<float>(size_of_rows) * sizeof(float);
  tier_type tier(size_of_rows, {6, 2, 2048, true}, std::make_unique<file_store>(folder, bytes));
  auto const use = [&](node i, used_slots const &used) {
    std::array const uses{owner_use{i, used}};
    tier.whole(uses);
  };
  use(0, {0b1});
  CHECK(tier.report().read == row);
  use(0, {0b11});  // one slot more
  CHECK(tier.report().read == 2 * row);
  use(0, {0b11});
  CHECK(tier.report().read == 2 * row);
  for (node i = 1; i < 7; ++i) use(i, {0b1});  // six others take its place
  use(0, {0b1});
  CHECK(tier.report().read == 9 * row);
  use(0, {0b1, 0b1});
  CHECK(tier.report().read == 9 * row);
  CHECK(tier.report().written == row);
}

// Nine owners one after another, again and again, in six frames. Where the one that came first
// leaves first none is there when it is needed; at best three in eight are not. A frame that is
// still on its way to a slow disk cannot be taken, so the store of this test is never late.
TEST_CASE("rows that are needed last leave memory first", "[fleet]") {
  auto const tier = tier_with({6, 2, 2048, true}, {.at_once = true, .spoils = false});
  std::vector<node> order;
  for (int round = 0; round < 4; ++round)
    for (node i = 0; i < 9; ++i) order.push_back(i);
  std::uint64_t const row = tier_shape::row_numbers<float>(size_of_rows) * sizeof(float);
  auto const reads_of = [&](std::vector<node> const &owners, used_slots const &used) {
    std::uint64_t const before = tier->report().read;
    for (node const i : owners) tier->whole(std::array{owner_use{i, used}});
    return (tier->report().read - before) / row;
  };
  used_slots const trained{1, 1}, looked_at{1, 0};
  CHECK(reads_of(order, trained) == 36);
  tier->foresee(order);
  CHECK(reads_of(order, trained) <= 24);
  tier->foresee(order);
  CHECK(reads_of(order, trained) <= 24);

  // Uses that come a little early or late, as on ranks.
  std::vector<node> displaced = order;
  for (std::size_t p = 2; p < displaced.size(); p += 3) std::swap(displaced[p], displaced[p - 2]);
  tier->foresee(order);
  CHECK(reads_of(displaced, trained) <= 24);

  // Observers that look at all rows between them.
  std::vector<node> const round(order.begin(), order.begin() + 9);
  std::uint64_t reads = 0;
  tier->foresee(order);
  for (int k = 0; k < 4; ++k) {
    reads += reads_of(round, trained);
    reads_of(round, looked_at);
  }
  CHECK(reads <= 24);
}

TEST_CASE("leases of several threads wait for a place", "[fleet]") {
  auto const tier = tier_with({6, 2, 2048, true});
  fill(*tier);
  std::vector<std::future<std::size_t>> all;
  for (node t = 0; t < 3; ++t)
    all.push_back(std::async(std::launch::async, [&tier, t] {
      std::size_t wrong = 0;
      for (node k = 0; k < 60; ++k) {
        node const i = (t + 3 * k) % 9;  // of this thread alone
        std::array const uses{owner_use{i, changed_slots(0b11)}};
        auto const own = tier->whole(uses);
        for (std::size_t c = 0; c < 5003; ++c) wrong += own.row(1, i)[c] != number(1, i, c);
      }
      return wrong;
    }));
  for (auto &one : all) CHECK(one.get() == 0);
  CHECK(wrong_rows(*tier) == 0);
}

TEST_CASE("a thread that would wait for a lease of its own is told", "[fleet]") {
  auto const tier = tier_with({6, 2, 2048, false});
  std::array const uses{owner_use{3, changed_slots(0b1)}};
  {
    auto const own = tier->whole(uses);
    CHECK_THROWS_WITH(
        tier->columns({1}, 0, 2048),
        "rows: expected one kind of lease at a time, got a thread that has whole rows "
        "and asks for columns of all rows");
  }
  auto const block = tier->columns({1}, 0, 2048);
  CHECK_THROWS_WITH(tier->whole(uses),
                    "rows: expected one kind of lease at a time, got a thread that has columns of "
                    "all rows and asks for whole rows");
}

TEST_CASE("a payload has no rows behind its first", "[fleet]") {
  auto const tier = tier_with({6, 2, 2048, false});
  std::array const first{owner_use{10, {0b1}}}, all{owner_use{10, {0b11}}};
  tier->whole(first);
  auto const own = tier->whole(all);
  CHECK(*own.row(0, 10) == 0);
}

// On a rank with nodes 1, 4, 6 and 8 of nine, and a payload that is the second of three.
TEST_CASE("borrowed rows stay in memory, and are part of columns", "[fleet]") {
  fleet_size size = size_of_rows;
  size.held = 4;
  size.held_payloads = 1;
  size.borrowed = 2;
  constexpr std::uint32_t none = rank_layout::elsewhere;
  std::vector<std::uint32_t> const places{none, 0,    none, none, 1,    2, none,
                                          3,    none, none, 6,    none, 4, 5};
  constexpr node lent = 13, payload = 10;
  for (bool const by_owner : {false, true}) {
    CAPTURE(by_owner);
    tier_shape const shape{6, 2, 2048, by_owner};
    tier_type tier(size, shape,
                   std::make_unique<awkward_store>(tier_shape::stored_bytes<float>(size)), places);
    float *at = nullptr;
    {
      std::array const uses{owner_use{lent, changed_slots(1)}, owner_use{7, {0, 1}},
                            owner_use{payload, {0, 1}}};
      auto const rows = tier.whole(uses);
      at = rows.row(0, lent);
      for (std::size_t c = 0; c < size.parameters; ++c) {
        at[c] = number(0, lent, c);
        rows.row(0, 7)[c] = number(0, 7, c);
        rows.row(0, payload)[c] = number(0, payload, c);
      }
    }
    for (int turn = 0; turn < 2; ++turn)
      for (std::size_t first = 0; first < 5003; first += 2048) {
        auto const rows =
            tier.columns(changed_slots(1), first, std::min<std::size_t>(first + 2048, 5003));
        std::size_t wrong = 0;
        for (std::size_t c = first; c < std::min<std::size_t>(first + 2048, 5003); ++c)
          for (node const i : {lent, node{7}, payload})
            wrong += *rows.row(0, i, c) != number(0, i, c);
        CHECK(wrong == 0);
        *rows.row(0, lent, first) = -1;  // of a copy
      }
    CHECK(at[0] == number(0, lent, 0));
    std::array const again{owner_use{lent, {1}}, owner_use{7, {1}}, owner_use{4, {1}}};
    auto const rows = tier.whole(again);
    CHECK(rows.row(0, lent) == at);
    CHECK(rows.row(0, 7)[5002] == number(0, 7, 5002));
    CHECK(rows.row(0, 4)[0] == 0);
  }
}

TEST_CASE("a store that throws is a store that has failed", "[fleet]") {
  struct throwing final : row_store {
    void begin(std::vector<store_request>, completion) override { throw error("no way"); }
    std::string name() const override { return "none"; }
  };
  tier_type tier(size_of_rows, {6, 2, 2048, false}, std::make_unique<throwing>());
  std::array const uses{owner_use{3, changed_slots(0b1)}};
  CHECK_THROWS_WITH(tier.whole(uses), "no way");
  CHECK_THROWS_WITH(tier.columns({1}, 0, 2048), "no way");
}

TEST_CASE("rows in a store have no addresses for good", "[fleet]") {
  fleet<float, host_buffer> const rows(size_of_rows, tier_with({6, 2, 2048, false}));
  CHECK(!rows.in_memory());
  CHECK_THROWS_WITH(rows.parameters(0),
                    Catch::Contains("parameters(i) needs a run that keeps all"));
}

TEST_CASE("tiers that cannot work are refused", "[fleet]") {
  auto const with = [](tier_shape const &shape) { shape.check(); };
  CHECK_THROWS_WITH(with({5, 2, 2048, false}),
                    "tier: frames: expected at least 3 times the 2 owners of a lease, got 5");
  CHECK_THROWS_WITH(with({9, 1, 2048, false}), "tier: owners must be at least 2, got 1");
  CHECK_THROWS_WITH(with({9, 3, 100, false}),
                    "fleet: columns of a lease: expected a multiple of 2048, got 100");
  CHECK_NOTHROW(with({6, 2, 2048, true}));
}

TEST_CASE("a folder that cannot take rows is refused by name", "[fleet]") {
  CHECK_THROWS_WITH(
      file_store("/nowhere/at/all", 4096),
      "/nowhere/at/all: expected a folder on a disk for rows: No such file or directory");
  CHECK_THROWS_WITH(file_store("/proc", 4096), Catch::StartsWith("/proc: expected a folder"));
  std::string const folder = scratch_folder();
  if (folder.empty()) {
    WARN("skipped: no folder on a disk");
    return;
  }
  CHECK_THROWS_WITH(
      file_store(folder, std::uint64_t{1} << 60),
      Catch::StartsWith(folder + ": expected 1152921504.7 GB of the disk for rows: "));
}

TEST_CASE("a folder in memory is refused", "[fleet]") {
  std::string const shared = "/dev/shm";
  struct statfs found{};
  if (::statfs(shared.c_str(), &found) != 0 || found.f_type != 0x01021994) {
    WARN("skipped: /dev/shm is no tmpfs here");
    return;
  }
  CHECK_THROWS_WITH(file_store(shared, 4096),
                    "/dev/shm: expected a folder on a disk for rows, got one in memory (tmpfs)");
}
