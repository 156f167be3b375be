// Softmax with cross-entropy loss: loss, gradient and the winning class of each sample.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// Below this, e^x counts as e^lowest_exponent: 1.6e-38.
inline constexpr int lowest_exponent = -87;

/// e^x for lowest_exponent <= x <= 0 from additions and multiplications, so that loops over it
/// vectorise and every processor gives the same bits; relative error below 2e-7 (float), 1e-15
/// (double).
template <class T>
constexpr T exponential(T x) {
  using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr int mantissa = sizeof(T) == 4 ? 23 : 52;
  constexpr int terms = sizeof(T) == 4 ? 7 : 13;
  bits const k = static_cast<bits>(x * T(1.44269504088896341) - T(0.5));
  T const n = static_cast<T>(k);
  T const r = (x - n * T(0.693359375)) + n * T(2.12194440054690583e-4);
  T sum{1};
  for (int i = terms; i >= 1; --i) sum = T{1} + sum * r * (T{1} / static_cast<T>(i));
  bits const bias = (bits{1} << (8 * sizeof(T) - 2 - mantissa)) - 1;
  return sum * std::bit_cast<T>(static_cast<bits>((k + bias) << mantissa));
}

/// scores (classes, lanes) -> gradient (classes, lanes) of the mean loss over a batch of
/// 1 / scale samples, times the node's loss scale where there is one, and per lane the largest
/// score and the sum of exponentials below it, from which the loss follows. One call works on up to
/// `Group` lanes; lanes beyond `samples` get zeros.
template <class T, std::size_t Group>
struct softmax_cross_entropy {
  strided<T const> scores;
  strided<std::uint16_t const> labels;  // (samples)
  strided<T> gradient;
  strided<T> largest, total, chosen;  // (lanes): loss = log(total) + largest - chosen
  std::size_t classes, lanes, samples;
  T batch_scale;
  T const *loss_scale;  // (k) or null

  constexpr void operator()(std::size_t j, std::size_t group, std::size_t) const {
    T const scale = loss_scale ? batch_scale * loss_scale[j] : batch_scale;
    std::size_t const first = group * Group;
    std::size_t const width = lanes < Group ? lanes : Group;  // not a constant: loops stay loops
    T const *const in = scores.at(j) + first;
    T *__restrict const out = gradient.at(j) + first;
    T top[Group] = {}, below[Group] = {}, sum[Group] = {}, factor[Group] = {};
    for (std::size_t l = 0; l < width; ++l) top[l] = in[l];
    for (std::size_t c = 1; c < classes; ++c)
      for (std::size_t l = 0; l < width; ++l) {
        T const score = in[c * lanes + l];
        top[l] = score > top[l] || score != score ? score : top[l];  // a NaN wins and stays
      }
    for (std::size_t c = 0; c < classes; ++c) {
      constexpr T lowest = static_cast<T>(lowest_exponent);
      for (std::size_t l = 0; l < width; ++l) below[l] = in[c * lanes + l] - top[l];
      for (std::size_t l = 0; l < width; ++l) below[l] = below[l] < lowest ? lowest : below[l];
      for (std::size_t l = 0; l < width; ++l) sum[l] += out[c * lanes + l] = exponential(below[l]);
    }
    for (std::size_t l = 0; l < width; ++l) factor[l] = first + l < samples ? scale / sum[l] : T{0};
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t l = 0; l < width; ++l) out[c * lanes + l] *= factor[l];
    for (std::size_t l = 0; l < width && first + l < samples; ++l) {
      std::size_t const label = labels.at(j)[first + l];
      largest.at(j)[first + l] = top[l];
      total.at(j)[first + l] = sum[l];
      chosen.at(j)[first + l] = in[label * lanes + l];
      out[label * lanes + l] -= scale;
    }
  }
};

/// The class with the largest score of each sample, the first of equals; row is unused.
template <class T>
struct choose_class {
  strided<T const> scores;
  strided<std::uint16_t> choice;  // (lanes)
  std::size_t classes, lanes;

  constexpr void operator()(std::size_t j, std::size_t, std::size_t lane) const {
    T const *const in = scores.at(j) + lane;
    std::uint16_t best = 0;
    for (std::size_t c = 1; c < classes; ++c)
      if (in[c * lanes] > in[best * lanes]) best = static_cast<std::uint16_t>(c);
    choice.at(j)[lane] = best;
  }
};

}  // namespace gossip::op
