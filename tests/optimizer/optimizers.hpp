// Conformance of optimizers: a test of a new one is one call of check_optimizer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>

#include "../catch.hpp"

namespace gossip::test {

/// The rows of one node, (1 + rows, d): parameters, then what the optimizer keeps.
template <class T>
struct node_rows {
  std::size_t d;
  std::vector<std::vector<T>> numbers;

  node_rows(std::size_t d_, std::size_t rows) : d(d_), numbers(1 + rows, std::vector<T>(d_)) {
    keyed_random random(1, purpose::user, 0, d);
    for (T &x : numbers[0]) x = static_cast<T>(random.normal());
  }
  column_range<T> range(std::size_t first, std::size_t last) {
    column_range<T> r{first, last, numbers[0].data(), {}};
    for (std::size_t s = 1; s < numbers.size(); ++s) r.rows[s - 1] = numbers[s].data();
    return r;
  }
};

/// The gradient of a step, other ones at every step and column.
template <class T>
std::vector<T> gradient_of_step(std::uint64_t step, std::size_t d) {
  keyed_random random(2, purpose::user, 0, step);
  std::vector<T> g(d);
  for (T &x : g) x = static_cast<T>(random.normal());
  return g;
}

/// Whether absorb followed by step is the same as both at once: not where no row carries the
/// gradient from one to the other.
template <class T, class Optimizer>
void check_bits(Optimizer const &o, bool waits, bool separable) {
  auto const arithmetic = gossip::arithmetic<T>(o, waits);
  REQUIRE(arithmetic.rows() == gossip::optimizer_rows(o, waits));
  for (std::size_t const d : {1, 2, 3, 17, 133}) {
    node_rows<T> whole(d, arithmetic.rows()), cut = whole, apart = whole;
    for (std::uint64_t t = 1; t <= 7; ++t) {
      auto const g = gradient_of_step<T>(t, d);
      auto const scale = arithmetic.scale(o.rate / static_cast<double>(t), t);
      arithmetic.absorb_and_step(scale, g.data(), whole.range(0, d));
      std::vector<std::size_t> const cuts{0, d / 3, d / 3, d / 2, d};
      for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
        arithmetic.absorb_and_step(scale, g.data() + cuts[c], cut.range(cuts[c], cuts[c + 1]));
      for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
        arithmetic.absorb(g.data() + cuts[c], apart.range(cuts[c], cuts[c + 1]));
      arithmetic.step(scale, apart.range(0, d));
    }
    CAPTURE(waits, d, sizeof(T));
    CHECK(cut.numbers == whole.numbers);
    if (separable) CHECK(apart.numbers == whole.numbers);
  }
}

/// Laws of an optimizer: absorb and step are absorb_and_step, wherever columns are cut; a waiting
/// gradient is stepped on as it was absorbed, whatever happens to the parameters in between.
template <class Optimizer>
void check_optimizer(Optimizer const &o) {
  CHECK_NOTHROW(gossip::check_optimizer(o));
  for (bool const waits : {false, true}) {
    bool const separable =
        waits || gossip::optimizer_rows(o, false) == gossip::optimizer_rows(o, true);
    check_bits<float>(o, waits, separable);
    check_bits<double>(o, waits, separable);
  }
  // Columns that are not named stay as they are.
  auto const arithmetic = gossip::arithmetic<float>(o, true);
  node_rows<float> rows(40, arithmetic.rows()), before = rows;
  auto const g = gradient_of_step<float>(1, 40);
  arithmetic.absorb(g.data(), rows.range(5, 22));
  arithmetic.step(arithmetic.scale(0.1, 1), rows.range(5, 22));
  for (std::size_t s = 0; s < rows.numbers.size(); ++s)
    for (std::size_t c = 0; c < 40; ++c)
      if (c < 5 || c >= 22) REQUIRE(rows.numbers[s][c] == before.numbers[s][c]);
  CHECK(rows.numbers[0][5] != before.numbers[0][5]);
  CHECK(rows.numbers[0][21] != before.numbers[0][21]);
}

/// The parameter after `steps` steps of the optimizer, one column, gradient(t, x) at step t.
template <class Optimizer, class Gradient>
double walk(Optimizer const &o, bool waits, int steps, double x, Gradient gradient) {
  auto const arithmetic = gossip::arithmetic<double>(o, waits);
  std::vector<double> rows(4, 0.0);
  column_range<double> const range{0, 1, &x, {&rows[0], &rows[1], &rows[2], &rows[3]}};
  for (int t = 1; t <= steps; ++t) {
    double const g = gradient(t, x);
    arithmetic.absorb_and_step(arithmetic.scale(o.rate, static_cast<std::uint64_t>(t)), &g, range);
  }
  return x;
}

/// A gradient that depends on the step and on where the parameter is.
inline double wavy(int t, double x) {
  return 0.7 * x + std::sin(1.3 * t);
}

}  // namespace gossip::test
