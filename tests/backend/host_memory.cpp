// Memory of the host: zeroed, owned once, refused with its size.
#include <gossip/backend/cpu/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../catch.hpp"

using gossip::host_buffer;

static_assert(!std::is_copy_constructible_v<host_buffer<float>>);
static_assert(!std::is_copy_assignable_v<host_buffer<float>>);
static_assert(std::is_nothrow_move_constructible_v<host_buffer<float>>);

TEST_CASE("a buffer begins on a page and holds zeros", "[backend]") {
  for (std::size_t const size : {1, 2, 3, 17, 100'000}) {
    host_buffer<double> const buffer(size);
    CHECK(buffer.size() == size);
    CHECK(buffer.bytes() == 8 * size);
    CHECK(buffer.span().size() == size);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 4096 == 0);
    CHECK(std::count(buffer.data(), buffer.data() + size, 0.0) == static_cast<long>(size));
  }
}

TEST_CASE("an empty buffer owns nothing", "[backend]") {
  CHECK(host_buffer<float>().data() == nullptr);
  CHECK(host_buffer<float>(0).data() == nullptr);
  CHECK(host_buffer<float>(0).size() == 0);
}

TEST_CASE("a buffer that is moved leaves an empty one", "[backend]") {
  host_buffer<int> first(3);
  first.data()[2] = 7;
  int *const at = first.data();
  host_buffer<int> second(std::move(first));
  CHECK(first.data() == nullptr);  // NOLINT: what is left is specified
  CHECK(first.size() == 0);
  CHECK(second.data() == at);

  host_buffer<int> third(5);
  third = std::move(second);
  CHECK(second.data() == nullptr);  // NOLINT
  CHECK(third.data() == at);
  CHECK(third.size() == 3);
  CHECK(third.data()[2] == 7);
}

TEST_CASE("untouched pages take no memory: a buffer may exceed the machine", "[backend]") {
  host_buffer<char> const buffer(std::size_t{1} << 36);
  buffer.data()[(std::size_t{1} << 36) - 1] = 1;
  CHECK(buffer.data()[0] == 0);
}

TEST_CASE("what the system has no room for is refused with its size", "[backend]") {
  CHECK_THROWS_WITH(host_buffer<char>(std::size_t{1} << 62),
                    "memory: 4611686018427387904 bytes could not be reserved");
  CHECK_THROWS_AS(host_buffer<double>(std::size_t{1} << 60), gossip::error);
}

TEST_CASE("a size whose bytes cannot be counted is refused", "[backend]") {
  CHECK_THROWS_WITH(host_buffer<double>((std::size_t{1} << 61) + 1),
                    "memory: 2305843009213693953 times 8 bytes could not be reserved");
  CHECK_THROWS_AS(host_buffer<double>(std::numeric_limits<std::size_t>::max()), gossip::error);
}
