// Optimizers behind function pointers: a user's own kernel, and rows that are not its business.
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/optimizer/sgd.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/error.hpp>

#include "optimizers.hpp"

namespace {

/// Sign descent with a count of steps in double, as a user would write it: no row, all at once.
struct sign_kernel {
  static constexpr std::size_t rows = 0;
  struct scale_type {
    double rate, iteration;
  };
  float smallest;

  scale_type scale(double rate, std::uint64_t iteration) const {
    return {rate, static_cast<double>(iteration)};
  }
  void absorb(float, float, float *) const {}
  void step(scale_type, float &, float const *) const {}
  void absorb_and_step(scale_type s, float gradient, float &parameter, float *) const {
    if (gradient > smallest) parameter -= static_cast<float>(s.rate / s.iteration);
    if (gradient < -smallest) parameter += static_cast<float>(s.rate / s.iteration);
  }
};

struct sign_descent {
  double rate = 1.0;
  float smallest = 0.0F;
  static std::size_t rows(bool) { return 0; }
  void check() const {}
  template <class T, class F>
  auto kernel(bool, F f) const {
    return f(sign_kernel{smallest});
  }
};
static_assert(gossip::optimizer<sign_descent>);

/// As many rows as a kernel may have; each remembers the gradient of a step before.
struct memory_kernel {
  static constexpr std::size_t rows = 4;
  using scale_type = double;
  static double scale(double rate, std::uint64_t) { return rate; }
  static void absorb(double gradient, double, double *row) {
    for (std::size_t s = 3; s > 0; --s) row[s] = row[s - 1];
    row[0] = gradient;
  }
  static void step(double rate, double &parameter, double const *row) {
    parameter -= rate * row[3];
  }
  static void absorb_and_step(double rate, double gradient, double &parameter, double *row) {
    absorb(gradient, parameter, row);
    step(rate, parameter, row);
  }
};

}  // namespace

TEST_CASE("an optimizer of a user's own runs as the built-in ones", "[optimizer]") {
  auto const arithmetic = gossip::arithmetic<float>(sign_descent{.smallest = 0.5F}, false);
  CHECK(arithmetic.rows() == 0);
  std::vector<float> x{1, 1, 1, 1};
  std::vector<float> const gradient{3, -3, 0.25F, 9};
  gossip::column_range<float> const range{0, 3, x.data(), {}};
  arithmetic.absorb_and_step(arithmetic.scale(1.0, 2), gradient.data(), range);
  CHECK(x == std::vector<float>{0.5F, 1.5F, 1, 1});
}

TEST_CASE("four rows are read and written in their own columns", "[optimizer]") {
  gossip::row_arithmetic<double> const arithmetic{memory_kernel{}};
  CHECK(arithmetic.rows() == 4);
  gossip::test::node_rows<double> rows(3, 4);
  rows.numbers[0] = {0, 0, 0};
  for (int t = 1; t <= 5; ++t) {
    std::vector<double> const gradient{1.0 * t, 10.0 * t, 100.0 * t};
    arithmetic.absorb(gradient.data(), rows.range(0, 2));
    arithmetic.step(arithmetic.scale(1.0, 1), rows.range(0, 2));
  }
  CHECK(rows.numbers[0] == std::vector<double>{-3, -30, 0});  // gradients 1 and 2
  CHECK(rows.numbers[1] == std::vector<double>{5, 50, 0});
  CHECK(rows.numbers[4] == std::vector<double>{2, 20, 0});
}

TEST_CASE("columns of a range lie behind its origin, in parameters and rows", "[optimizer]") {
  gossip::row_arithmetic<double> const arithmetic{memory_kernel{}};
  gossip::test::node_rows<double> whole(7, 4), part = whole;
  for (int t = 1; t <= 5; ++t) {
    auto const g = gossip::test::gradient_of_step<double>(static_cast<std::uint64_t>(t), 7);
    arithmetic.absorb_and_step(arithmetic.scale(0.5, 1), g.data(), whole.range(2, 5));
    auto range = part.range(2, 5);  // the same columns, where a buffer of them alone has them
    range.origin = 2;
    range.parameters += 2;
    for (double *&row : range.rows) row += 2;
    arithmetic.absorb_and_step(arithmetic.scale(0.5, 1), g.data(), range);
  }
  CHECK(part.numbers == whole.numbers);
}

TEST_CASE("statistics move a tenth of the way, whatever the optimizer", "[optimizer]") {
  for (bool const waits : {false, true}) {
    auto const arithmetic =
        gossip::arithmetic<double>(gossip::sgd{.rate = 1.0, .momentum = 0.5}, waits, 2);
    gossip::test::node_rows<double> rows(4, arithmetic.rows());
    rows.numbers[0] = {1, 1, 1, 1};
    std::vector<double> const gradient{3, 3, 11, -9};
    auto const scale = arithmetic.scale(1.0, 1);
    if (waits) {
      arithmetic.absorb(gradient.data(), rows.range(0, 1));
      arithmetic.absorb(gradient.data() + 1, rows.range(1, 4));
      CHECK(rows.numbers[0] == std::vector<double>{1, 1, 1, 1});
      rows.numbers[0] = {2, 2, 2, 2};  // a neighbour was here
      arithmetic.step(scale, rows.range(0, 3));
      arithmetic.step(scale, rows.range(3, 4));
      CHECK(rows.numbers[0] == std::vector<double>{-1, -1, 2 + 0.1 * 9, 2 + 0.1 * -11});
    } else {
      arithmetic.absorb_and_step(scale, gradient.data(), rows.range(0, 1));
      arithmetic.absorb_and_step(scale, gradient.data() + 1, rows.range(1, 4));
      CHECK(rows.numbers[0] == std::vector<double>{-2, -2, 1 + 0.1 * 10, 1 + 0.1 * -10});
    }
  }
}

TEST_CASE("an optimizer without rows has nothing to step by", "[optimizer]") {
  auto const arithmetic = gossip::arithmetic<double>(gossip::sgd{.rate = 1.0}, false, 2);
  std::vector<double> x{1, 2, 3, 4};  // two parameters, two statistics
  arithmetic.step(arithmetic.scale(1.0, 1), {0, 4, x.data(), {}});
  CHECK(x == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("arithmetic is a value: a copy outlives what it was copied from", "[optimizer]") {
  auto const copy = [] {
    gossip::row_arithmetic<float> const first = gossip::arithmetic<float>(sign_descent{}, false);
    return first;
  }();
  float x = 1.0F;
  float const gradient = 1.0F;
  copy.absorb_and_step(copy.scale(0.25, 1), &gradient, {0, 1, &x, {}});
  CHECK(x == 0.75F);
}
