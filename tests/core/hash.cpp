// Hashes of bytes that come in parts.
#include <cstddef>
#include <numeric>
#include <vector>

#include <gossip/core/hash.hpp>

#include "../catch.hpp"

namespace {

using gossip::detail::running_hash;

std::vector<unsigned char> counted(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
  return bytes;
}

}  // namespace

TEST_CASE("the cut of bytes into parts does not show in their hash", "[core]") {
  auto const bytes = counted(61);
  running_hash whole;
  whole.add(bytes.data(), bytes.size());
  for (std::size_t part = 1; part <= bytes.size(); ++part) {
    running_hash parts;
    for (std::size_t first = 0; first < bytes.size(); first += part)
      parts.add(bytes.data() + first, std::min(part, bytes.size() - first));
    CHECK(parts.value() == whole.value());
    CHECK(parts.bytes() == bytes.size());
  }
}

TEST_CASE("one more zero byte is another hash, as is one bit", "[core]") {
  for (std::size_t size : {0, 1, 7, 8, 9, 64}) {
    auto bytes = counted(size);
    running_hash before, longer, changed;
    before.add(bytes.data(), size);
    bytes.push_back(0);
    longer.add(bytes.data(), size + 1);
    CHECK(longer.value() != before.value());
    bytes.back() = 1;
    changed.add(bytes.data(), size + 1);
    CHECK(changed.value() != longer.value());
  }
}
