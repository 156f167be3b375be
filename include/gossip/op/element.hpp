// Element-wise functions of the layers: one call computes one value of one lane.
#pragma once

#include <cstddef>

#include <gossip/core/float16.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// out(row, lane) = bias(row)
template <class T>
struct fill_bias {
  strided<T const> bias;
  strided<T> out;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    out.at(j)[row * lanes + lane] = bias.at(j)[row];
  }
};

/// to = from; `lanes` numbers a row
template <class T>
struct copy_row {
  strided<T const> from;
  strided<T> to;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    to.at(j)[row * lanes + lane] = from.at(j)[row * lanes + lane];
  }
};

/// out = max(in, 0); `lanes` numbers a row
template <class T>
struct rectify {
  strided<T const> in;
  strided<T> out;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    T const value = in.at(j)[row * lanes + lane];
    out.at(j)[row * lanes + lane] = value < T{0} ? T{0} : value;  // a NaN stays one
  }
};

/// in_gradient = out_gradient where the input was positive, else 0; `lanes` numbers a row
template <class T>
struct rectify_back {
  strided<T const> in;
  strided<T const> out_gradient;
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const at = row * lanes + lane;
    T const given = out_gradient.at(j)[at];
    in_gradient.at(j)[at] = in.at(j)[at] > T{0} ? given : T{0};
  }
};

/// out = a + b, or its positive part; `row_size` numbers a row
template <class T, bool Rectifies>
struct add_two {
  strided<T const> a, b;
  strided<T> out;
  std::size_t row_size;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t i) const {
    std::size_t const at = row * row_size + i;
    T const value = a.at(j)[at] + b.at(j)[at];
    out.at(j)[at] = Rectifies && value < T{0} ? T{0} : value;
  }
};

/// to += from; `row_size` numbers a row
template <class T>
struct add_to {
  strided<T const> from;
  strided<T> to;
  std::size_t row_size;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t i) const {
    to.at(j)[row * row_size + i] += from.at(j)[row * row_size + i];
  }
};

/// values = the nearest numbers of a 16-bit format
template <class Format, class T>
struct round_to {
  strided<T> values;

  constexpr void operator()(std::size_t j, std::size_t, std::size_t i) const {
    values.at(j)[i] = rounded<Format>(values.at(j)[i]);
  }
};

/// row_sums(row) [+]= sum over `count` consecutive numbers, in 16 interleaved partial sums; by a
/// team in double.
template <class T>
struct sum_row {
  strided<T const> in;
  strided<T> row_sums;
  std::size_t count;  // a multiple of lane_group
  bool accumulate;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t) const {
    T partial[lane_group] = {};
    T const *const from = in.at(j) + row * count;
    for (std::size_t c = 0; c < count; c += lane_group)
      for (std::size_t l = 0; l < lane_group; ++l) partial[l] += from[c + l];
    for (std::size_t half = lane_group / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) partial[l] += partial[l + half];
    put(j, row, partial[0]);
  }

  template <class Team>
  constexpr void by_team(Team const &team, std::size_t j, std::size_t row) const {
    T const *const from = in.at(j) + row * count;
    double const sum =
        team.sum(count, [from](std::size_t i) { return static_cast<double>(from[i]); });
    team.each(1, [&](std::size_t) { put(j, row, static_cast<T>(sum)); });
  }

  constexpr void put(std::size_t j, std::size_t row, T sum) const {
    T &to = row_sums.at(j)[row];
    to = (accumulate ? to : T{0}) + sum;
  }
};

}  // namespace gossip::op
