// A register of numbers: loads, stores, sums.
#include <gossip/backend/cpu/pack.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "../catch.hpp"

namespace host = gossip::host;

TEMPLATE_TEST_CASE("a pack holds numbers and multiplies and adds them", "[backend]", float,
                   double) {
  using T = TestType;
  constexpr std::size_t size = host::pack_size<T>;
  std::vector<T> numbers(size + 1);
  for (std::size_t i = 0; i <= size; ++i) numbers[i] = static_cast<T>(i);
  auto const from_1 = host::load(numbers.data() + 1);  // not aligned
  CHECK(host::sum<T>(from_1) == static_cast<T>(size * (size + 1) / 2));

  std::vector<T> out(size + 1, T{-1});
  host::store(out.data(),
              host::multiply_add<T>(from_1, host::broadcast(T{2}), host::broadcast(T{0.5})));
  for (std::size_t i = 0; i < size; ++i) CHECK(out[i] == static_cast<T>(2 * (i + 1)) + T{0.5});
  CHECK(out[size] == T{-1});
}

TEST_CASE("a broadcast keeps infinities and numbers that are none", "[backend]") {
  CHECK(std::isinf(host::broadcast(INFINITY)[0]));
  CHECK(std::isnan(host::broadcast(NAN)[1]));
}
