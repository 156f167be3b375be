// Bits counted on a GPU: nvcc 13.0 compiles the counts of <bit> there to constants.
#include <gossip/backend/cuda.hpp>
#include <gossip/core/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"

namespace {

struct counts {
  std::uint64_t width, floor, ceil, ones;

  friend constexpr bool operator==(counts const &, counts const &) = default;
};

constexpr counts counts_of(std::uint64_t number) {
  return {gossip::bit_width(number), gossip::bit_floor(number),
          gossip::bit_ceil(number & ~(std::uint64_t{1} << 63)), gossip::trailing_ones(number)};
}

struct count_bits {
  std::uint64_t const *numbers;
  counts *to;

  constexpr void operator()(std::size_t k) const { to[k] = counts_of(numbers[k]); }
};

}  // namespace

TEST_CASE("bits are counted on a GPU as on the host", "[gpu]") {
  std::vector<std::uint64_t> numbers{0};
  for (unsigned shift = 0; shift < 64; ++shift)
    for (std::uint64_t const lower : {0, 1, 2}) {
      numbers.push_back((std::uint64_t{1} << shift) - lower);
      numbers.push_back((std::uint64_t{1} << shift) + lower);
    }
  gossip::cuda const gpu;
  gossip::device::buffer<std::uint64_t> from(numbers.size());
  gossip::device::buffer<counts> to(numbers.size());
  gpu.upload(from.data(), numbers.data(), numbers.size());
  gpu.launch(numbers.size(), count_bits{from.data(), to.data()});
  std::vector<counts> found(numbers.size()), expected;
  gpu.download(found.data(), to.data(), found.size());
  for (std::uint64_t const number : numbers) expected.push_back(counts_of(number));
  CHECK((found == expected));
}
