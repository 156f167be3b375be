// Element-wise functions of the layers, and sums over rows.
#include <gossip/op/element.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gossip/core/random.hpp>

#include "../catch.hpp"

namespace op = gossip::op;

TEST_CASE("a bias fills all lanes of its row", "[op]") {
  std::vector<float> const bias{1, 2, 3, 4};  // two nodes of two rows
  std::vector<float> out(8);
  op::fill_bias<float> const fill{{bias.data(), 2}, {out.data(), 4}, 2};
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t lane = 0; lane < 2; ++lane) fill(j, row, lane);
  CHECK(out == std::vector<float>{1, 1, 2, 2, 3, 3, 4, 4});
}

TEST_CASE("rectifying keeps what is positive and passes gradients there only", "[op]") {
  std::vector<double> const in{-2, -0.0, 0.0, 3};
  std::vector<double> const out_gradient{10, 20, 30, 40};
  std::vector<double> out(4), in_gradient(4, -1);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    op::rectify<double>{{in.data(), 0}, {out.data(), 0}, 4}(0, 0, lane);
    op::rectify_back<double>{{in.data(), 0}, {out_gradient.data(), 0}, {in_gradient.data(), 0}, 4}(
        0, 0, lane);
  }
  CHECK(out == std::vector<double>{0, 0, 0, 3});
  CHECK(in_gradient == std::vector<double>{0, 0, 0, 40});
}

TEST_CASE("rectifying does not hide that a value is not a number", "[op]") {
  float const in = std::numeric_limits<float>::quiet_NaN();
  float out = 0;
  op::rectify<float>{{&in, 0}, {&out, 0}, 1}(0, 0, 0);
  CHECK(std::isnan(out));
}

TEST_CASE("a row sum is the sum of its numbers, added to what is there if asked", "[op]") {
  for (std::size_t const groups : {1, 2, 3, 17}) {
    std::size_t const count = groups * gossip::lane_group;
    std::vector<float> in(2 * count);
    gossip::keyed_random random(1, gossip::purpose::user, 0, groups);
    for (float &x : in) x = static_cast<float>(random.below(2000)) - 1000;  // sums are exact
    for (bool const accumulate : {false, true}) {
      std::vector<float> sums{5, 7};
      op::sum_row<float> const sum{{in.data(), 0}, {sums.data(), 0}, count, accumulate};
      for (std::size_t row = 0; row < 2; ++row) {
        float exact = accumulate ? sums[row] : 0;
        for (std::size_t c = 0; c < count; ++c) exact += in[row * count + c];
        sum(0, row, 0);
        CHECK(sums[row] == exact);
      }
    }
  }
}

TEST_CASE("a row sum begun anew does not read what was there", "[op]") {
  std::vector<double> const in(gossip::lane_group, 0.5);
  double sum = std::numeric_limits<double>::quiet_NaN();
  op::sum_row<double>{{in.data(), 0}, {&sum, 0}, in.size(), false}(0, 0, 0);
  CHECK(sum == 0.5 * gossip::lane_group);
}
