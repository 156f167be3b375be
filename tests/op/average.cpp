// Average pooling: what a window's mean is, and how its gradient is shared.
#include <gossip/op/average.hpp>

#include <cstddef>
#include <vector>

#include <gossip/backend/serial.hpp>

#include "../catch.hpp"

namespace op = gossip::op;

namespace {

template <op::average_shape S>
std::vector<double> average(std::vector<double> const &in, std::size_t lanes) {
  std::vector<double> out(S.out_size() * lanes);
  gossip::serial::worker{}.for_each(1, S.out_size(), lanes,
                                    op::average<S, double>{{in.data(), 0}, {out.data(), 0}, lanes});
  return out;
}

template <op::average_shape S>
std::vector<double> average_back(std::vector<double> const &out_gradient, std::size_t lanes) {
  std::vector<double> in_gradient(S.in_size() * lanes, -7.0);
  gossip::serial::worker{}.for_each(
      1, S.in_size(), lanes,
      op::average_back<S, double>{{out_gradient.data(), 0}, {in_gradient.data(), 0}, lanes});
  return in_gradient;
}

}  // namespace

TEST_CASE("a window becomes its mean and shares its gradient", "[op]") {
  CHECK(average<{1, 2, 4, 2, 2}>({1, 2, 8, 7, 4, 3, 5, 6}, 1) == std::vector<double>{2.5, 6.5});
  CHECK(average_back<{1, 2, 4, 2, 2}>({4, 8}, 1) == std::vector<double>{1, 1, 2, 2, 1, 1, 2, 2});
}

TEST_CASE("values that no window covers count nothing and get no gradient", "[op]") {
  // 3 x 5 under windows of 2: the last row and the last column are dropped.
  CHECK(average<{1, 3, 5, 2, 2}>({1, 1, 2, 2, 9, 3, 3, 4, 4, 9, 9, 9, 9, 9, 9}, 1) ==
        std::vector<double>{2, 3});
  CHECK(average_back<{1, 3, 5, 2, 2}>({4, 8}, 1) ==
        std::vector<double>{1, 1, 2, 2, 0, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("each lane and channel has a mean of its own", "[op]") {
  // Two channels of 2 x 1 in two lanes, a window of the whole plane.
  CHECK(average<{2, 2, 1, 2, 1}>({1, 10, 3, 30, 5, 50, 7, 70}, 2) ==
        std::vector<double>{2, 20, 6, 60});
  CHECK(average_back<{2, 2, 1, 2, 1}>({2, 20, 6, 60}, 2) ==
        std::vector<double>{1, 10, 1, 10, 3, 30, 3, 30});
}
