// Equal digests, equal bits.
#include <gossip/fleet/digest.hpp>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/cpu/memory.hpp>

#include <cstring>
#include <set>
#include <string>

#include "../catch.hpp"

using gossip::node;
using host_fleet = gossip::fleet<float, gossip::host_buffer>;

namespace {

// Parameter c of node i is 10 i + c; the optimizer's row is not part of a digest.
host_fleet counted(std::size_t nodes, std::size_t parameters, bool shared = false) {
  host_fleet rows({nodes, parameters, 1, shared});
  for (node i = 0; i < rows.size().rows(); ++i)
    for (std::size_t c = 0; c < parameters; ++c)
      rows.parameters(i)[c] = 10.0f * static_cast<float>(i) + static_cast<float>(c);
  return rows;
}

std::uint64_t digest_of(host_fleet const &rows, std::size_t threads = 1) {
  return gossip::digest(rows, gossip::cpu{.threads = threads});
}

}  // namespace

TEST_CASE("a digest depends on every bit of every parameter and on nothing else", "[fleet]") {
  for (std::size_t const n : {1, 2, 3, 17}) {
    auto const rows = counted(n, 7);
    std::uint64_t const before = digest_of(rows);
    std::set<std::uint64_t> seen{before};
    for (node i = 0; i < n; ++i)
      for (std::size_t c = 0; c < 7; ++c) {
        float &x = rows.parameters(i)[c];
        float const kept = x;
        std::uint32_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        bits ^= 1;
        std::memcpy(&x, &bits, sizeof bits);
        seen.insert(digest_of(rows));
        x = kept;
      }
    CHECK(seen.size() == 7 * n + 1);
    rows.whole(gossip::changed_slots(0b10), 0).row(1, 0)[0] = 5.0f;  // an optimizer row
    rows.parameters(0)[7] = 5;                                       // beyond the last parameter
    CHECK(digest_of(rows) == before);
    for (std::size_t const threads : {2, 3}) CHECK(digest_of(rows, threads) == before);
  }
}

TEST_CASE("a digest depends on the order of the nodes", "[fleet]") {
  auto const rows = counted(3, 7);
  std::uint64_t const before = digest_of(rows);
  std::swap_ranges(rows.parameters(0), rows.parameters(0) + 7, rows.parameters(2));
  CHECK(digest_of(rows) != before);
}

TEST_CASE("a row moved by a column has another digest, and zeros are not minus zeros", "[fleet]") {
  CHECK(digest_of(host_fleet({1, 1, 0, false})) != digest_of(host_fleet({1, 2, 0, false})));
  host_fleet const rows({1, 2, 0, false});
  std::uint64_t const zeros = digest_of(rows);
  rows.parameters(0)[1] = -0.0f;
  CHECK(digest_of(rows) != zeros);
}

TEST_CASE("a shared row has the digest of as many equal rows", "[fleet]") {
  auto const one = counted(3, 7, true);
  auto const three = counted(3, 7);
  for (node i = 1; i < 3; ++i) std::copy_n(three.parameters(0), 7, three.parameters(i));
  CHECK(digest_of(one) == digest_of(three));
}

TEST_CASE("a digest is printed as 16 hex digits", "[fleet]") {
  CHECK(gossip::hex(0) == "0000000000000000");
  CHECK(gossip::hex(0x123456789abcdef0) == "123456789abcdef0");
}
