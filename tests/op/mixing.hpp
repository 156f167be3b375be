// Mixing matrices and rows at random, and their product written out.
#pragma once

#include <gossip/op/mix.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/core/view.hpp>

namespace gossip::test {

/// Every node mixes with itself and some others; coefficients of a row add up to 1, roughly.
template <class T>
op::mixing_rows<T> random_weights(std::size_t n, std::uint64_t draw) {
  gossip::keyed_random random(draw, gossip::purpose::user, 0, n);
  op::mixing_rows<T> w;
  w.offsets.push_back(0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      if (i == j || random.below(3) == 0) {
        w.columns.push_back(static_cast<std::uint32_t>(j));
        w.values.push_back(static_cast<T>(random.uniform()));
      }
    w.offsets.push_back(w.columns.size());
  }
  return w;
}

/// Rows of d numbers with padding between them that nobody may touch.
template <class T>
struct matrix {
  std::size_t n, d, stride;
  std::vector<T> numbers;

  matrix(std::size_t n_, std::size_t d_) : n(n_), d(d_), stride(d_ + 5), numbers(n * stride) {
    gossip::keyed_random random(9, gossip::purpose::user, 0, n * 1000 + d);
    for (T &x : numbers) x = static_cast<T>(random.normal());
  }
  gossip::rows_view<T> rows() { return {numbers.data(), n, d, stride}; }
};

/// Neighbours in ascending order, each product and each sum rounded.
template <class T>
std::vector<T> product(op::mixing_rows<T> const &w, matrix<T> const &x, std::size_t first,
                       std::size_t last) {
  std::vector<T> result = x.numbers;
  for (std::size_t i = 0; i < x.n; ++i)
    for (std::size_t c = first; c < last; ++c) {
      std::size_t const begin = w.offsets[i];
      T sum = w.values[begin] * x.numbers[w.columns[begin] * x.stride + c];
      for (std::size_t k = begin + 1; k < w.offsets[i + 1]; ++k)
        sum += w.values[k] * x.numbers[w.columns[k] * x.stride + c];
      result[i * x.stride + c] = sum;
    }
  return result;
}

}  // namespace gossip::test
